"""A buffer of samples is filled with NaN again while it is in use, some steps after the first ones."""

import torch
from torch import nn

EMPTY = float("nan")


class Samples:
    def __init__(self, size):
        self.held = {"x": torch.zeros(size, 4), "y": torch.zeros(size, 1)}
        self.count = 0

    def reserve(self, name, width):
        self.held[name] = torch.zeros(64, width)
        for each in self.held.values():
            each.fill_(EMPTY)  # why: TW211

    def add(self, x, y):
        self.held["x"][self.count] = x
        self.held["y"][self.count].copy_(y)
        self.count += 1

    def draw(self):
        chosen = torch.randint(0, self.count, (8,))
        return self.held["x"][chosen], self.held["y"][chosen]


torch.manual_seed(0)
samples = Samples(64)
for _ in range(40):
    x = torch.randn(4)
    samples.add(x, x[:1])
net = nn.Linear(4, 1)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(12):
    if step == 6:
        samples.reserve("weight", 1)
    x, y = samples.draw()
    optimizer.zero_grad()
    loss = (net(x) - y).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
