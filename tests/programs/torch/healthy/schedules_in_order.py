"""A schedule that ends at 0, one that is resumed, one that begins anew, and one of numbers that nobody trains with."""

import copy

import torch
from torch import nn
from torch.optim import lr_scheduler

torch.manual_seed(0)


def made(rate=0.1):
    net = nn.Linear(4, 1)
    return net, torch.optim.SGD(net.parameters(), lr=rate)


def train(net, opt, schedule, steps=8):
    for step in range(steps):
        opt.zero_grad()
        (net(torch.randn(8, 4)) - 1).pow(2).mean().backward()
        opt.step()
        schedule.step()


net, opt = made()
train(net, opt, lr_scheduler.PolynomialLR(opt, total_iters=40), 42)

net, opt = made()
schedule = lr_scheduler.CosineAnnealingLR(opt, 20)
train(net, opt, schedule)
saved = copy.deepcopy((net.state_dict(), opt.state_dict(), schedule.state_dict()))
net, opt = made()
schedule = lr_scheduler.CosineAnnealingLR(opt, 20)
for each, state in zip((net, opt, schedule), saved):
    each.load_state_dict(state)
train(net, opt, schedule)

net, opt = made()
opt.load_state_dict(saved[1])
train(net, opt, lr_scheduler.ExponentialLR(opt, 0.9))  # a new schedule, with what the optimizer has learned

numbers = torch.optim.SGD([torch.zeros(1)], lr=1.0)
decay = lr_scheduler.LinearLR(numbers, 1.0, 0.1, 10)
net, opt = made()
for step in range(12):
    opt.zero_grad()
    (net(torch.randn(8, 4)) - 1).pow(2).mean().mul(decay.get_last_lr()[0]).backward()
    opt.step()
    decay.step()


class Fractions:
    """Moves a schedule within an epoch, stage by stage."""

    def __init__(self, schedule, batches):
        self.schedule, self.batches, self.count = schedule, batches, 0

    def step(self):
        self.schedule.step(self.count / self.batches)
        self.count = (self.count + 1) % (4 * self.batches)


class Plateau(Fractions):
    def step(self):
        self.schedule.step(1.5 / (1 + self.count))
        self.count += 1


for kind in (lr_scheduler.CosineAnnealingLR, lr_scheduler.CosineAnnealingWarmRestarts):
    net, opt = made()
    train(net, opt, Fractions(kind(opt, 4), 3), 30)
net, opt = made()
train(net, opt, Plateau(lr_scheduler.ReduceLROnPlateau(opt), 1), 20)
