"""A small transformer with a causal mask and clipped gradients."""

import torch
from torch import nn
import torch.nn.functional as F

class Tiny(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 16)
        self.place = nn.Parameter(torch.zeros(1, 8, 16))
        self.layers = nn.TransformerEncoder(nn.TransformerEncoderLayer(16, 2, 32, batch_first=True), 2)
        self.out = nn.Linear(16, 20)

    def forward(self, x):
        mask = nn.Transformer.generate_square_subsequent_mask(x.shape[1])
        return self.out(self.layers(self.embed(x) + self.place[:, : x.shape[1]], mask=mask))


model = Tiny()
opt = torch.optim.AdamW(model.parameters(), lr=1e-3)
for step in range(4):
    x = torch.randint(0, 20, (4, 8))
    loss = F.cross_entropy(model(x[:, :-1]).flatten(0, 1), x[:, 1:].flatten())
    opt.zero_grad(set_to_none=True)
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    print(f"{loss.item():.3f}")
