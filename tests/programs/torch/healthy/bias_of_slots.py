"""Slots compete for inputs in a softmax over the slots: a bias that is added to all of them never matters."""

import torch
from torch import nn


class Slots(nn.Module):
    def __init__(self, width, slots):
        super().__init__()
        self.first = nn.Parameter(torch.randn(slots, width))
        self.norm = nn.LayerNorm(width)
        self.query, self.key = nn.Linear(width, width, bias=False), nn.Linear(width, width)

    def forward(self, x):
        slots = self.first.expand(len(x), -1, -1)
        for _ in range(2):
            scores = self.key(x) @ self.query(self.norm(slots)).transpose(1, 2)
            shares = scores.softmax(-1)
            shares = shares / shares.sum(1, keepdim=True)
            slots = slots + shares.transpose(1, 2) @ x
        return slots


torch.manual_seed(0)
model = nn.Sequential(Slots(6, 3), nn.Linear(6, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
for _ in range(12):
    x = torch.randn(4, 7, 6)
    loss = (model(x).amax(1) - x.amax((1, 2))[:, None]).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item() < 100)
