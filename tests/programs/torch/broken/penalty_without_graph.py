"""The gradient penalty of a critic is a number to the optimizer."""

import torch
from torch import nn

torch.manual_seed(1)


def penalty(critic, real, fake):
    mixed = torch.lerp(real, fake, torch.rand(len(real), 1)).requires_grad_()
    slope = torch.autograd.grad(critic(mixed).sum(), mixed)[0]  # why: TW107
    return 10 * (slope.norm(dim=1) - 1).pow(2).mean()


critic = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(critic.parameters())
for _ in range(4):
    real, fake = torch.randn(16, 2), torch.randn(16, 2)
    loss = critic(fake).mean() - critic(real).mean() + penalty(critic, real, fake)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
