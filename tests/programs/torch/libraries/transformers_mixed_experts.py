"""A tiny Mixtral and a tiny ViT: experts that no token chose in a step, a frozen vision tower, a projection on top."""

import torch
import transformers
from torch import nn
from transformers import MixtralConfig, MixtralForCausalLM, ViTConfig, ViTModel

transformers.logging.set_verbosity_error()
torch.manual_seed(0)
config = MixtralConfig(
    vocab_size=40, hidden_size=16, intermediate_size=24, num_hidden_layers=1, num_attention_heads=2,
    num_key_value_heads=1, num_local_experts=4, num_experts_per_tok=1, output_router_logits=True,
    max_position_embeddings=32,
)  # fmt: skip
language = MixtralForCausalLM(config)
tower = ViTModel(
    ViTConfig(image_size=8, patch_size=4, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=24),
    add_pooling_layer=False,
)
tower.requires_grad_(False).eval()
projection = nn.Linear(16, 16)
optimizer = torch.optim.AdamW([*language.parameters(), *projection.parameters()], lr=1e-3)
for _ in range(6):
    tokens, images = torch.randint(0, 40, (2, 6)), torch.randn(2, 3, 8, 8)
    with torch.no_grad():
        seen = tower(images).last_hidden_state
    words = language.get_input_embeddings()(tokens)
    inputs = torch.cat([projection(seen), words], 1)
    labels = torch.cat([torch.full((2, seen.shape[1]), -100), tokens], 1)
    loss = language(inputs_embeds=inputs, labels=labels).loss
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
print(loss.isfinite().item())
