"""A block refines each of its inputs, and goes on with what they were before."""

import torch
from torch import nn


class Refine(nn.Module):
    def __init__(self):
        super().__init__()
        self.units = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
        self.norm, self.end = nn.LayerNorm(8), nn.Linear(8, 1)

    def forward(self, *parts):
        for unit, part in zip(self.units, parts):
            part = unit(part)  # why: TW115
        whole = torch.cat([part for part in parts], -1)
        normal = self.norm(whole)  # why: TW115
        return self.end(whole)


net = Refine()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    opt.zero_grad()
    net(torch.randn(8, 4), torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
