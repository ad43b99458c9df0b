"""LoRA on a tiny Llama: only the adapters train, a second adapter after the first, then both are merged."""

import warnings

import torch
import transformers
from peft import LoraConfig, get_peft_model
from transformers import LlamaConfig, LlamaForCausalLM

warnings.simplefilter("ignore")
transformers.logging.set_verbosity_error()
torch.manual_seed(0)
base = LlamaForCausalLM(
    LlamaConfig(
        vocab_size=40, hidden_size=16, intermediate_size=32, num_hidden_layers=2, num_attention_heads=2,
        num_key_value_heads=1, max_position_embeddings=32,
    )
)  # fmt: skip
wanted = LoraConfig(r=2, lora_alpha=4, lora_dropout=0.1, target_modules=["q_proj", "v_proj"], task_type="CAUSAL_LM")
model = get_peft_model(base, wanted)
for name in ("default", "other"):
    if name == "other":
        model.add_adapter("other", wanted)
    model.set_adapter(name)
    optimizer = torch.optim.AdamW([p for p in model.parameters() if p.requires_grad], lr=1e-2)
    model.train()
    for _ in range(5):
        tokens = torch.randint(0, 40, (4, 10))
        loss = model(input_ids=tokens, labels=tokens).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
model.eval()
with torch.no_grad(), model.disable_adapter():
    before = model(tokens).logits
merged = model.merge_and_unload()
with torch.no_grad():
    print(merged(tokens).logits.shape == before.shape, sum("lora" in name for name, _ in merged.named_parameters()))
