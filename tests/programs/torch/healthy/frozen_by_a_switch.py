"""Blocks that run without a graph where the program says so; the optimizer was given all parameters."""

import torch
from torch import nn

torch.manual_seed(0)


class Block(nn.Module):
    def __init__(self, frozen):
        super().__init__()
        self.layer, self.frozen = nn.Linear(6, 6), frozen

    def body(self, x):
        return x + torch.tanh(self.layer(x))

    def forward(self, x):
        if self.frozen:
            with torch.no_grad():
                return self.body(x)
        return self.body(x)


class Net(nn.Module):
    def __init__(self, freeze_stem):
        super().__init__()
        self.stem, self.freeze_stem = nn.Linear(4, 6), freeze_stem
        self.blocks = nn.ModuleList([Block(i == 0) for i in range(3)])
        self.head = nn.Linear(6, 1)

    def forward(self, x):
        with torch.set_grad_enabled(not self.freeze_stem):
            h = self.stem(x)
        for block in self.blocks:
            h = block(h)
        return self.head(h)


for freeze_stem in (False, True):
    net = Net(freeze_stem)
    opt = torch.optim.Adam(net.parameters(), lr=1e-2)
    for _ in range(5):
        x = torch.randn(16, 4)
        loss = (net(x).squeeze(1) - x.sum(1)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
