"""A helper lowers the rate by a factor that is meant for an epoch, after each batch: soon nothing moves any more."""

import torch
from torch import nn


def end_of_epoch(opt):
    for group in opt.param_groups:
        group["lr"] *= 0.5


net = nn.Linear(4, 1)
opt = torch.optim.Adam(net.parameters(), lr=0.01)
for epoch in range(5):
    for batch in range(12):
        loss = (net(torch.randn(8, 4)) - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()  # why: TW604
        end_of_epoch(opt)
