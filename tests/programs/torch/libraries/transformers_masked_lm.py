"""A tiny BERT: tied weights, masked labels, decay in two groups, linear warm-up; then a classifier on its body."""

import torch
import transformers
from transformers import BertConfig, BertForMaskedLM, BertForSequenceClassification

transformers.logging.set_verbosity_error()
torch.manual_seed(0)
config = BertConfig(
    vocab_size=50, hidden_size=16, num_hidden_layers=2, num_attention_heads=2, intermediate_size=32, num_labels=2,
    max_position_embeddings=16,
)  # fmt: skip
model = BertForMaskedLM(config)
plain = [p for name, p in model.named_parameters() if name.endswith("bias") or "LayerNorm" in name]
decayed = [p for name, p in model.named_parameters() if not (name.endswith("bias") or "LayerNorm" in name)]
groups = [{"params": decayed, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
optimizer = torch.optim.AdamW(groups, lr=1e-3)
schedule = transformers.get_linear_schedule_with_warmup(optimizer, 2, 8)
model.train()
for _ in range(8):
    tokens = torch.randint(5, 50, (4, 12))
    mask = torch.ones_like(tokens)
    mask[:, 9:] = 0
    hidden = torch.rand(tokens.shape) < 0.3
    hidden[:, 0] = True
    labels = tokens.masked_fill(~hidden | (mask == 0), -100)
    loss = model(tokens.masked_fill(hidden, 4), attention_mask=mask, labels=labels).loss
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    schedule.step()
    optimizer.zero_grad()

classifier = BertForSequenceClassification(config)
classifier.bert.load_state_dict(model.bert.state_dict(), strict=False)
classifier.bert.embeddings.requires_grad_(False)
for p in classifier.bert.encoder.layer[0].parameters():
    p.requires_grad = False
optimizer = torch.optim.AdamW([p for p in classifier.parameters() if p.requires_grad], lr=1e-3)
for _ in range(5):
    tokens = torch.randint(5, 50, (4, 12))
    out = classifier(input_ids=tokens, labels=(tokens[:, 1] > 25).long())
    out.loss.backward()
    optimizer.step()
    optimizer.zero_grad(set_to_none=True)
classifier.eval()
with torch.no_grad():
    print(classifier(tokens).logits.argmax(-1).shape, out.loss.isfinite().item())
