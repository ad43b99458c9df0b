"""Parameters that are converted before they are leaves, copies of half precision in each step, and cached copies."""

import torch
from torch import nn

torch.manual_seed(0)


class Line:
    def __init__(self):
        self.slope = nn.Parameter(torch.ones(3).double())
        self.offset = nn.Parameter(torch.zeros(1, dtype=torch.float64))

    def __call__(self, x):
        return x @ self.slope + self.offset


line = Line()
for _ in range(4):
    x = torch.randn(8, 3, dtype=torch.float64)
    (line(x) - x.sum(1) * 2).pow(2).mean().backward()
    with torch.no_grad():
        for each in (line.slope, line.offset):
            each -= 0.1 * each.grad
            each.grad = None

net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    half = net.weight.bfloat16()
    half.retain_grad()
    optimizer.zero_grad()
    (torch.randn(5, 3).bfloat16() @ half.T + net.bias.bfloat16()).pow(2).mean().backward()
    print(half.grad is not None, net.weight.grad.dtype)
    optimizer.step()
