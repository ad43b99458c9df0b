"""A critic with a gradient penalty, several critic steps for each of the generator."""

import torch
from torch import nn
import torch.nn.functional as F

generator, critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
g_opt, c_opt = torch.optim.RMSprop(generator.parameters()), torch.optim.RMSprop(critic.parameters())
for step in range(8):
    real, noise = torch.randn(8, 2), torch.randn(8, 4)
    with torch.no_grad():
        fake = generator(noise)
    mixed = (0.5 * real + 0.5 * fake).requires_grad_(True)
    slope, = torch.autograd.grad(critic(mixed).sum(), mixed, create_graph=True)
    loss = critic(fake).mean() - critic(real).mean() + 10 * (slope.norm(dim=1) - 1).pow(2).mean()
    c_opt.zero_grad()
    loss.backward()
    c_opt.step()
    if step % 3 == 2:
        g_opt.zero_grad()
        (-critic(generator(noise)).mean()).backward()
        g_opt.step()
    print(f"{loss.item():.4f}")
