"""A tensor requires a gradient in turn, and what it is used for is computed after that."""

import torch
from torch import nn

torch.manual_seed(0)
body, head = nn.Linear(3, 3), nn.Linear(3, 1)
optimizer = torch.optim.SGD([*body.parameters(), *head.parameters()], 0.1)
x = torch.randn(4, 3)
scale = x.std(0)
body.requires_grad_(False)
print(body(x).norm())
body.requires_grad_(True)
x.requires_grad_()
for _ in range(3):
    energy = head(torch.relu(body(x / scale))).sum()
    (slope,) = torch.autograd.grad(energy, x, create_graph=True)
    loss = (slope.norm(dim=1) - 1).pow(2).mean() + energy.pow(2)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
