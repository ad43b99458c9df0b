"""Optimizers that make no step of their own: for gradients alone, beside a rule of the program's own, or skipped."""

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(8, 4)


def by_foreach():
    net = nn.Linear(4, 2)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(6):
        opt.zero_grad()
        net(x).square().mean().backward()
        with torch.no_grad():
            given = list(net.parameters())
            torch._foreach_add_(given, [p.grad for p in given], alpha=-0.1)
    return net(x).sum().item()


def schedule_alone():
    net = nn.Linear(4, 2)
    clock = torch.optim.SGD(net.parameters(), lr=0.1)
    real = torch.optim.Adam(net.parameters())
    for _ in range(6):
        clock.zero_grad()
        net(x).square().mean().backward()
        real.step()
    return net(x).sum().item()


def input_alone():
    net = nn.Linear(4, 2)
    image = torch.randn(1, 4, requires_grad=True)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(6):
        opt.zero_grad()
        net(image).sum().backward()
        image.data.add_(0.1 * image.grad)
        image.grad.zero_()
    return image.sum().item()


print(f"{by_foreach():.4f}", f"{schedule_alone():.4f}", f"{input_alone():.4f}")
