"""Tied embedding and output, a learned scale, weight normalization."""

import torch
from torch import nn
import torch.nn.functional as F

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(10, 6)
        self.mix = nn.utils.parametrizations.weight_norm(nn.Linear(6, 6))
        self.out = nn.Linear(6, 10, bias=False)
        self.out.weight = self.embed.weight
        self.scale = nn.Parameter(torch.ones(()))

    def forward(self, x):
        return self.out(self.mix(self.embed(x))) * self.scale


model = Model()
opt = torch.optim.Adam(model.parameters())
for step in range(4):
    x = torch.randint(0, 10, (8,))
    loss = F.cross_entropy(model(x), x)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
