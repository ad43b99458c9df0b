"""A physics-informed network with second derivatives."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Sequential(nn.Linear(1, 16), nn.Tanh(), nn.Linear(16, 1))
opt = torch.optim.LBFGS(net.parameters(), lr=0.1, max_iter=3)


def closure():
    x = torch.linspace(0, 1, 10)[:, None].requires_grad_()
    u = net(x)
    du, = torch.autograd.grad(u.sum(), x, create_graph=True)
    ddu, = torch.autograd.grad(du.sum(), x, create_graph=True)
    loss = (ddu + u).pow(2).mean() + (net(torch.zeros(1, 1)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    return loss


for step in range(3):
    print(f"{opt.step(closure).item():.4f}")
