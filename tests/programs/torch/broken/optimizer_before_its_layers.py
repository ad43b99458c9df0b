"""An optimizer collects the parameters of layers that are added only after that: its one group stays empty."""

import torch
from torch import nn


class Builder:
    def __init__(self):
        self.layers = {}

    def add(self, name, layer):
        self.layers[name] = layer
        return layer

    def parameters(self):
        return [each for layer in self.layers.values() for each in layer.parameters()]


def optimizer_of(builder):
    group = {"params": builder.parameters(), "lr": 1e-2}
    return torch.optim.Adam([group])  # why: TW603


def main():
    builder = Builder()
    optimizer = optimizer_of(builder)
    first, last = builder.add("first", nn.Linear(4, 8)), builder.add("last", nn.Linear(8, 1))
    for _ in range(5):
        x = torch.randn(16, 4)
        loss = (last(torch.relu(first(x))) - x.sum(1, keepdim=True)).pow(2).mean()
        for each in builder.parameters():
            each.grad = None
        loss.backward()
        optimizer.step()


main()
