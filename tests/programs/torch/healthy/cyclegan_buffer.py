"""CycleGAN: two generators in one optimizer, a buffer of old samples, discriminators frozen by a switch."""

import itertools
import random

import torch
from torch import nn


class SampleBuffer:
    def __init__(self, size=8):
        self.size, self.data = size, []

    def push_and_pop(self, batch):
        result = []
        for sample in batch.data:
            sample = sample.unsqueeze(0)
            if len(self.data) < self.size:
                self.data.append(sample)
                result.append(sample)
            elif random.random() > 0.5:
                at = random.randrange(self.size)
                result.append(self.data[at].clone())
                self.data[at] = sample
            else:
                result.append(sample)
        return torch.cat(result)


def set_requires_grad(nets, value):
    for net in nets:
        for param in net.parameters():
            param.requires_grad = value


def net(out):
    return nn.Sequential(nn.Linear(4, 12), nn.InstanceNorm1d(12), nn.LeakyReLU(0.2), nn.Linear(12, out))


random.seed(0)
G_AB, G_BA, D_A, D_B = net(4), net(4), net(1), net(1)
opt_G = torch.optim.Adam(itertools.chain(G_AB.parameters(), G_BA.parameters()), lr=2e-4, betas=(0.5, 0.999))
opt_D = torch.optim.Adam(itertools.chain(D_A.parameters(), D_B.parameters()), lr=2e-4, betas=(0.5, 0.999))
schedulers = [torch.optim.lr_scheduler.LambdaLR(o, lambda e: 1.0 - max(0, e - 2) / 4) for o in (opt_G, opt_D)]
gan, cycle, identity = nn.MSELoss(), nn.L1Loss(), nn.L1Loss()
pool_A, pool_B = SampleBuffer(), SampleBuffer()
for epoch in range(3):
    for _ in range(2):
        real_A, real_B = torch.randn(6, 4), torch.randn(6, 4) + 1
        fake_B, fake_A = G_AB(real_A), G_BA(real_B)
        set_requires_grad([D_A, D_B], False)
        opt_G.zero_grad()
        loss_idt = identity(G_AB(real_B), real_B) + identity(G_BA(real_A), real_A)
        loss_gan = gan(D_B(fake_B), torch.ones(6, 1)) + gan(D_A(fake_A), torch.ones(6, 1))
        loss_cycle = cycle(G_BA(fake_B), real_A) + cycle(G_AB(fake_A), real_B)
        loss_G = loss_gan + 10.0 * loss_cycle + 5.0 * loss_idt
        loss_G.backward()
        opt_G.step()
        set_requires_grad([D_A, D_B], True)
        opt_D.zero_grad()
        for D, real, fake in ((D_A, real_A, pool_A.push_and_pop(fake_A)), (D_B, real_B, pool_B.push_and_pop(fake_B))):
            loss_D = 0.5 * (gan(D(real), torch.ones(6, 1)) + gan(D(fake.detach()), torch.zeros(6, 1)))
            loss_D.backward()
        opt_D.step()
        print(f"{loss_G.item():.4f} {loss_D.item():.4f}")
    for scheduler in schedulers:
        scheduler.step()
