"""The gradients of two losses are kept as copies, cleared, and given to the optimizer as a weighted sum."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), 0.1)


def gradients(loss):
    optimizer.zero_grad(set_to_none=False)
    loss.backward()
    return [each.grad.clone() for each in net.parameters()]


for _ in range(4):
    real, fake = gradients(net(torch.randn(8, 3) + 1).mean()), gradients(-net(torch.randn(8, 3)).mean())
    optimizer.zero_grad(set_to_none=False)
    for parameter, one, other in zip(net.parameters(), real, fake):
        parameter.grad = 0.7 * one + 0.3 * other
    optimizer.step()
