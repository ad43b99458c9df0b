"""A GAN with one optimizer for each network; the discriminator sees detached samples."""

import torch
from torch import nn
import torch.nn.functional as F

generator = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
discriminator = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))
g_opt = torch.optim.Adam(generator.parameters(), lr=1e-3)
d_opt = torch.optim.Adam(discriminator.parameters(), lr=1e-3)
bce = nn.BCEWithLogitsLoss()
for step in range(6):
    real = torch.randn(16, 2)
    fake = generator(torch.randn(16, 4))
    d_opt.zero_grad()
    d_loss = bce(discriminator(real), torch.ones(16, 1)) + bce(discriminator(fake.detach()), torch.zeros(16, 1))
    d_loss.backward()
    d_opt.step()
    g_opt.zero_grad()
    g_loss = bce(discriminator(fake), torch.ones(16, 1))
    g_loss.backward()
    g_opt.step()
    print(f"{d_loss.item():.4f} {g_loss.item():.4f}")
