"""The schedule of a copied trainer still changes the rate of the copied optimizer, not of the new one."""

import copy

import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 1)
        self.renew()
        self.schedule = torch.optim.lr_scheduler.ExponentialLR(self.opt, 0.9)

    def renew(self):
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def run(self):
        for step in range(8):
            self.opt.zero_grad()
            (self.net(torch.randn(8, 4)) - 1).pow(2).mean().backward()
            self.opt.step()
            self.schedule.step()  # why: TW117


trainer = copy.deepcopy(Trainer())
trainer.renew()
trainer.run()
