"""A differential equation of second order for a network of straight pieces: its residual has no gradient."""

import torch
from torch import nn


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.last = nn.Linear(2, 16), nn.Linear(16, 1)

    def forward(self, x):
        return self.last(nn.functional.leaky_relu(self.first(x)))  # why: TW208


def laplacian(field, x):
    slope = torch.autograd.grad(field(x).sum(), x, create_graph=True)[0]
    return sum(torch.autograd.grad(slope[:, at].sum(), x, create_graph=True)[0][:, at] for at in range(2))


field = Field()
opt = torch.optim.Adam(field.parameters())
for step in range(5):
    x = torch.rand(32, 2, requires_grad=True)
    inside = (laplacian(field, x) + x.sum(1).sin()).pow(2).mean()
    border = field(torch.zeros(4, 2)).pow(2).mean()
    opt.zero_grad()
    (inside + 10 * border).backward()
    opt.step()
