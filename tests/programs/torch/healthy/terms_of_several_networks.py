"""Terms that reach other networks on purpose: two optimizers step after one `backward`."""

import torch
from torch import nn

torch.manual_seed(0)
generator, discriminator = nn.Linear(2, 4), nn.Linear(4, 1)
optimizers = [torch.optim.Adam(each.parameters()) for each in (generator, discriminator)]
for _ in range(6):
    real, fake = torch.randn(8, 4), generator(torch.randn(8, 2))
    judged = discriminator(real), discriminator(fake.detach())
    truth = (judged[0] - 1).square().mean() + judged[1].square().mean()
    for each in optimizers:
        each.zero_grad()
    (truth + 0.1 * (fake.mean() - real.mean()).square()).backward()
    for each in optimizers:
        each.step()
