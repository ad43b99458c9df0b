"""A penalty asks for the gradient of an input that the score was not computed from, and fails on the None."""

import torch
from torch import nn

torch.manual_seed(0)


def norm_of(score, inputs):
    gradient = torch.autograd.grad(score.sum(), inputs, create_graph=True, allow_unused=True)[0]
    return gradient.view(len(gradient), -1).norm(dim=1)


critic = nn.Linear(3, 1)
images = torch.randn(8, 3)
score = critic(images)
real = images.clone().requires_grad_(True)  # why: TW115
print(norm_of(score, real).mean())
