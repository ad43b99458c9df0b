"""The same class is first trained with one of its two optimizers only, and then with both."""

import torch
from torch import nn

torch.manual_seed(0)


class Pair:
    def __init__(self):
        self.first, self.second = nn.Linear(2, 2), nn.Linear(2, 1)
        self.of_first = torch.optim.SGD(self.first.parameters(), lr=0.1)
        self.of_second = torch.optim.SGD(self.second.parameters(), lr=0.1)

    def update(self, both):
        self.of_first.zero_grad()
        self.of_second.zero_grad()
        self.second(self.first(torch.randn(8, 2))).square().mean().backward()
        self.of_first.step()
        if both:
            self.of_second.step()


def run(both):
    pair = Pair()
    for _ in range(6):
        pair.update(both)


run(False)
run(True)
