"""Coupling layers and their log-determinants."""

import torch
from torch import nn
import torch.nn.functional as F

class Coupling(nn.Module):
    def __init__(self, flip):
        super().__init__()
        self.flip, self.net = flip, nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 2))

    def forward(self, x):
        a, b = x.chunk(2, 1) if not self.flip else x.chunk(2, 1)[::-1]
        scale, shift = self.net(a).chunk(2, 1)
        b = b * torch.exp(scale) + shift
        return torch.cat([a, b] if not self.flip else [b, a], 1), scale.sum(1)


flow = nn.ModuleList([Coupling(False), Coupling(True), Coupling(False)])
opt = torch.optim.Adam(flow.parameters())
for step in range(4):
    x, logdet = torch.randn(8, 2), 0
    for layer in flow:
        x, each = layer(x)
        logdet = logdet + each
    loss = (0.5 * x.pow(2).sum(1) - logdet).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
