"""A curvature that a linear network does not have counts as zero; slopes of several inputs, and of weights."""

import torch
from torch import nn

torch.manual_seed(0)


def bend(slope, points):
    (found,) = torch.autograd.grad(slope.sum(), points, create_graph=True, allow_unused=True)
    return torch.zeros_like(points) if found is None else found


for middle in (nn.Identity(), nn.Tanh()):
    net = nn.Sequential(nn.Linear(2, 6), middle, nn.Linear(6, 1))
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(4):
        points, others = torch.rand(12, 2, requires_grad=True), torch.rand(12, 1, requires_grad=True)
        values = net(points) * others
        slope, scale = torch.autograd.grad(values.sum(), (points, others), create_graph=True)
        loss = (bend(slope, points) + values).pow(2).mean() + bend(scale, points).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print(f"{loss.item():.4f}")

weights = [each for each in net.parameters()]
inner = torch.autograd.grad(net(torch.ones(3, 2)).pow(2).mean(), weights, create_graph=True)
adapted = [each - 0.1 * gradient for each, gradient in zip(weights, inner)]
print([each is not None for each in torch.autograd.grad(sum(each.sum() for each in adapted), weights)])
