"""A tiny T5: encoder and decoder, labels shifted by the model, Adafactor, and a second loss on the encoder alone."""

import torch
import transformers
from transformers import T5Config, T5ForConditionalGeneration

transformers.logging.set_verbosity_error()
torch.manual_seed(0)
config = T5Config(
    vocab_size=30, d_model=16, d_kv=8, d_ff=32, num_layers=2, num_decoder_layers=2, num_heads=2,
    decoder_start_token_id=0, pad_token_id=0, eos_token_id=1,
)  # fmt: skip
model = T5ForConditionalGeneration(config)
optimizer = transformers.Adafactor(model.parameters(), lr=1e-2, relative_step=False, scale_parameter=False)
model.train()
for step in range(6):
    source = torch.randint(2, 30, (4, 8))
    labels = source.flip(1)
    labels[:, 6:] = -100
    out = model(input_ids=source, labels=labels)
    pooled = out.encoder_last_hidden_state.mean(1)
    loss = out.loss + 0.01 * pooled.pow(2).mean()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    if step == 3:
        model.eval()
        with torch.no_grad():
            made = model.generate(source[:1], max_new_tokens=4, num_beams=2)
        model.train()
print(made.shape[0], loss.isfinite().item())
