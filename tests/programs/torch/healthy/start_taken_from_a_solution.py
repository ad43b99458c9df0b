"""A solver starts at a number that the model itself gave: the start is made a leaf, and gets its own gradient."""

import torch
from torch import nn


class Decay(nn.Module):
    def __init__(self):
        super().__init__()
        self.rate, self.level = nn.Parameter(torch.tensor(0.2)), nn.Parameter(torch.tensor(3.0))

    def forward(self, t, y):
        return self.rate * (self.level - y)

    def exact(self, t):
        return self.level * (1 - torch.exp(-self.rate * t)) + torch.exp(-self.rate * t)


class Adjoint(torch.autograd.Function):
    @staticmethod
    def forward(ctx, field, start, steps, *weights):
        ctx.field, ctx.steps = field, steps
        with torch.no_grad():
            path = [start]
            for _ in range(steps):
                path.append(path[-1] + 0.1 * field(0.0, path[-1]))
        ctx.save_for_backward(torch.stack(path), *weights)
        return path[-1].clone()

    @staticmethod
    def backward(ctx, slope):
        path, *weights = ctx.saved_tensors
        totals = [torch.zeros_like(each) for each in weights]
        for step in range(ctx.steps - 1, -1, -1):
            with torch.enable_grad():
                value = path[step].detach().requires_grad_(True)
                after = value + 0.1 * ctx.field(0.0, value)
                slope, *parts = torch.autograd.grad(after, [value, *weights], slope)
            totals = [total + part for total, part in zip(totals, parts)]
        return None, slope, None, *totals


def solved(field, start):
    for _ in range(5):
        start = start + 0.1 * field(0.0, start)
    return start


field = Decay()
solution = field.exact(torch.linspace(0, 1, 6))
start = solution[0].detach().requires_grad_(True)
optimizer = torch.optim.SGD(field.parameters(), 0.05)
for _ in range(3):
    optimizer.zero_grad()
    loss = (Adjoint.apply(field, start, 5, *field.parameters()) - 2.0).pow(2) + (solved(field, start) - 2.0).pow(2)
    loss.backward()
    optimizer.step()
print(start.grad is not None, loss.item() > 0)
