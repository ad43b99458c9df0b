"""The best model is copied, with the output of a layer that a hook keeps on it."""

import copy

import torch
from torch import nn

torch.manual_seed(0)


class Watched(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(3, 8), nn.Linear(8, 1)
        self.seen = {}

    def forward(self, x):
        hidden = torch.tanh(self.body(x))
        self.last = hidden.mean(1)  # why: TW701
        return self.head(hidden) + self.last[:, None]


model = Watched()
opt = torch.optim.SGD(model.parameters(), lr=0.1)
best = None
for _ in range(3):
    loss = model(torch.randn(8, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    best = copy.deepcopy({"model": model, "loss": loss.item()})
