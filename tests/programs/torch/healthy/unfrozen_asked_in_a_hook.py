"""A hook of the backward pass asks for the gradients of the parameters that are not frozen."""

import torch
from torch import nn

encoder = nn.Sequential(nn.Linear(6, 5), nn.Tanh())
head = nn.Linear(5, 1)
for each in encoder.parameters():
    each.requires_grad_(False)


def measure(gradient):
    with torch.enable_grad():
        penalty = head(encoder(samples)).pow(2).mean()
    norms.append([each.norm() for each in torch.autograd.grad(penalty, [*head.parameters()])])
    return gradient


norms = []
samples = torch.randn(12, 6)
output = head(encoder(samples))
output.register_hook(measure)
output.mean().backward()
