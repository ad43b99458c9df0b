"""The scheduler is created after the state of the optimizer was loaded, and sets the rate anew."""

import torch
from torch import nn


def made():
    net = nn.Linear(4, 1)
    return net, torch.optim.SGD(net.parameters(), lr=0.1)


def train(net, opt, schedule):
    for step in range(5):
        opt.zero_grad()
        (net(torch.randn(8, 4)) - 1).pow(2).mean().backward()
        opt.step()
        schedule.step()


net, opt = made()
schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: 0.8**step)
train(net, opt, schedule)
saved = opt.state_dict(), schedule.state_dict()

net, opt = made()
opt.load_state_dict(saved[0])
schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: 0.8**step)  # why: TW605
schedule.load_state_dict(saved[1])
train(net, opt, schedule)
