"""Parameters that the program changes itself between steps, and copies of them that it works on in place."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(8, 4)
net = nn.Linear(4, 4, bias=False)
average = copy.deepcopy(net)
mask = torch.ones(4, 4).triu()
opt = torch.optim.SGD(net.parameters(), lr=0.1)


def renorm_(weight):
    return weight.div_(weight.norm(dim=1, keepdim=True))


def pruned(weight):
    weight = weight.mul_(mask)
    return weight


def picture(weight):
    return weight.clone().mul_(0.5).add_(0.5)


for step in range(6):
    loss = (net(x) - 1).square().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    net.weight.data.clamp_(-1, 1)
    renorm_(net.weight.data)
    w = net.weight.data
    w.mul_(mask)
    size = w.norm().item()
    w = w.mul_(0.999)
    pruned(net.weight.data)
    shrunk = net.weight.detach().mul_(0.999)
    net.weight.data = shrunk
    with torch.no_grad():
        net.weight.add_(0.001 * torch.randn(4, 4))
        for mean, now in zip(average.parameters(), net.parameters()):
            mean.data.mul_(0.9).add_(now.data, alpha=0.1)
    shown = picture(net.weight.data).clamp(0, 1).mean().item()
    print(f"{loss.item():.4f} {size:.4f} {w.abs().sum().item():.4f} {shown:.4f}")
