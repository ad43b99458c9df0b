"""The generator's term goes through `detach()`: it reaches the discriminator only, where it is cleared."""

import torch
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(2, 4), nn.Linear(4, 1)
for_generator = torch.optim.Adam(generator.parameters())
for_discriminator = torch.optim.Adam(discriminator.parameters())
for _ in range(6):
    real, fake = torch.randn(8, 4), generator(torch.randn(8, 2))
    score = discriminator(fake.detach())  # why: TW104
    loss = (score - 1).square().mean() + 0.1 * (fake.mean() - real.mean()).square()
    for_generator.zero_grad()
    loss.backward()
    for_generator.step()
    scores = discriminator(real), discriminator(fake.detach())
    for_discriminator.zero_grad()
    ((scores[0] - 1).square().mean() + scores[1].square().mean()).backward()
    for_discriminator.step()
