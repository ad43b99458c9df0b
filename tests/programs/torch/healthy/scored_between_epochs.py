"""A score needs a gradient of its own, in each validation."""

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(3)
net = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)


def sensitivity(x):
    with torch.enable_grad():
        x = x.clone().requires_grad_()
        (slope,) = torch.autograd.grad(net(x).sum(), x)
    return slope.norm()


def train(epoch):
    for _ in range(6):
        x = torch.randn(16, 5)
        loss = F.mse_loss(net(x), x[:, :1])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss


for epoch in range(3):
    train(epoch)
    print(epoch, sensitivity(torch.randn(4, 5)) > 0)
