"""Tensors that require gradients and are in no optimizer, each used: asked for, changed by hand, watched, and trained."""

import torch
from torch import nn

torch.manual_seed(0)


class Shifted(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)
        self.shift = torch.zeros(4, requires_grad=True)

    def forward(self, x):
        return self.inner(x) + self.shift


net = Shifted()
points = torch.linspace(0, 1, 16).repeat(4, 1).T.requires_grad_()
price = torch.ones(1, requires_grad=True)
opt = torch.optim.SGD([*net.parameters(), net.shift], lr=0.01)
for _ in range(8):
    opt.zero_grad()
    out = net(points)
    (slope,) = torch.autograd.grad(out.sum(), points, create_graph=True)
    ((slope - 1).square().mean() + price * out.square().mean()).backward()
    opt.step()
    with torch.no_grad():
        price += 0.1 * price.grad
        price.grad = None
print("done")
