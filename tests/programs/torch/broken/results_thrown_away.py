"""Three calls that return a new value, which nothing takes: an operation, a layer, and a method of an own class."""

import torch
from torch import nn


class Graph:
    def __init__(self, ends, weights=None):
        self.ends, self.weights = ends, weights

    def weighted(self, weights):
        return Graph(self.ends, weights)

    def spread(self, x):
        rows = x[self.ends] if self.weights is None else x[self.ends] * self.weights[:, None]
        return rows.sum(0)


class Shift(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift = nn.Parameter(torch.ones(4))

    def forward(self, x):
        return x + self.shift


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.lift, self.late = nn.Linear(3, 4), Shift()
        self.scale = nn.Parameter(torch.full((4,), 2.0))
        self.edges = nn.Parameter(torch.zeros(5))

    def forward(self, x, graph):
        h = self.lift(x)
        h.mul(self.scale)  # why: TW115
        self.late(h)  # why: TW115
        graph.weighted(torch.exp(self.edges))  # why: TW115
        return graph.spread(h)


net, graph = Net(), Graph(torch.tensor([0, 1, 1, 2, 0]))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
for _ in range(3):
    optimizer.zero_grad()
    (net(torch.randn(3, 3), graph) - 1).square().mean().backward()
    optimizer.step()
