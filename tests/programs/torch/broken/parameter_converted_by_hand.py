"""A plain class converts its parameters to another dtype after they were made, and updates them by hand."""

import torch
from torch import nn

torch.manual_seed(0)


class Line:
    def __init__(self):
        slope = nn.Parameter(torch.ones(3))
        self.slope = slope.double()  # why: TW601
        self.offset = nn.Parameter(torch.zeros(1, dtype=torch.float64))

    def __call__(self, x):
        return x @ self.slope + self.offset


line = Line()
for _ in range(4):
    x = torch.randn(8, 3, dtype=torch.float64)
    (line(x) - x.sum(1) * 2).pow(2).mean().backward()
    with torch.no_grad():
        for each in (line.slope, line.offset):
            if each.grad is not None:
                each -= 0.1 * each.grad
                each.grad = None

start = torch.zeros(4, requires_grad=True).double()  # why: TW126
for _ in range(2):
    (start - 1).pow(2).sum().backward()
    print(start.grad)
