"""A schedule keeps the groups of an optimizer, which then gets others."""

import torch
from torch import nn

torch.manual_seed(0)


class Ramp:
    def __init__(self, optimizer, top):
        self.groups = optimizer.param_groups  # why: TW117
        self.top, self.count = top, 0
        self.set(0.0)

    def set(self, value):
        for group in self.groups:
            group["lr"] = value

    def advance(self):
        self.count += 1
        self.set(self.top * min(1.0, self.count / 4))


def prepare(optimizer):
    optimizer.param_groups = [dict(group) for group in optimizer.param_groups]
    return optimizer


model = nn.Linear(4, 1)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
ramp = Ramp(optimizer, 0.05)
optimizer = prepare(optimizer)
for _ in range(6):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    ramp.advance()
