"""Gradients that are cleared in other ways than by the optimizer, and two backward passes for one step."""

import torch
from torch import nn

torch.manual_seed(1)


def none(net, optimizer):
    for each in net.parameters():
        each.grad = None


def zero(net, optimizer):
    for each in net.parameters():
        if each.grad is not None:
            each.grad.zero_()


def of_module(net, optimizer):
    net.zero_grad(set_to_none=False)


def scaled(net, optimizer):
    for each in net.parameters():
        if each.grad is not None:
            each.grad.mul_(0.5)


for clear in (none, zero, of_module, scaled):
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(5):
        clear(net, optimizer)
        for _ in range(2):
            net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()
print("trained")
