"""Schedules that end low, states that are loaded in part, copies, modes and initial values: all of it is meant."""

import copy
import io

import torch
from torch import nn


def start(module):
    if isinstance(module, nn.Linear):
        nn.init.xavier_uniform_(module.weight)


def build():
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))
    return net.apply(start)


def train(net, opt, schedule=None, steps=60):
    for step in range(steps):
        opt.zero_grad()
        (net(torch.randn(8, 4)) - 1).pow(2).mean().backward()
        opt.step()
        if schedule is not None:
            schedule.step()


lr = torch.optim.lr_scheduler
schedules = [
    lambda opt: lr.CosineAnnealingLR(opt, 60),
    lambda opt: lr.OneCycleLR(opt, 0.02, total_steps=61),
    lambda opt: lr.SequentialLR(opt, [lr.LinearLR(opt, 1e-6, 1.0, 10), lr.StepLR(opt, 20, 0.1)], [10]),
    lambda opt: lr.PolynomialLR(opt, 60, 2.0),
    lambda opt: lr.CosineAnnealingWarmRestarts(opt, 15),
]

torch.manual_seed(0)
for schedule in schedules:
    net = build()
    net.eval()
    with torch.no_grad():
        net(torch.ones(2, 4))  # a look before training
    net.train()
    opt = torch.optim.SGD(net.parameters(), lr=0.01)
    train(net, opt, schedule(opt))

# A first try is strict about nothing, a second one takes the prefix away.
state = {"module." + key: value for key, value in net.state_dict().items()}
other = build()
if other.load_state_dict(state, strict=False).missing_keys:
    other.load_state_dict({key.removeprefix("module."): value for key, value in state.items()})

# Another head, and weights beside the model.
bigger = nn.Sequential(*build()[:4], nn.Sequential(nn.Linear(8, 2)))
print(len(bigger.load_state_dict(net.state_dict(), strict=False).missing_keys))
net.load_state_dict({"0.weight": torch.zeros(8, 4)}, strict=False)

own = net.state_dict()
own.update({key: value + 1 for key, value in own.items() if key == "0.bias"})
net.load_state_dict(own)
net.load_state_dict(net.state_dict())

# Frozen without a gradient, and again later.
opt = torch.optim.Adam(net.parameters(), lr=0.01, weight_decay=0.1)
train(net, opt, steps=5)
net[0].requires_grad_(False)
train(net, opt, steps=20)
net[0].requires_grad_(True)
train(net, opt, steps=3)

# The best weights as a copy, and those of the moment.
best = copy.deepcopy(net.state_dict())
held = net.state_dict()
train(net, opt, steps=3)
torch.save({"best": best, "now": net.state_dict()}, io.BytesIO())
net.load_state_dict(best)

# An average with its statistics, and a teacher that stays as it is.
average, teacher = copy.deepcopy(net).eval(), copy.deepcopy(net).eval()
for step in range(8):
    train(net, opt, steps=1)
    with torch.no_grad():
        for old, new in zip(average.state_dict().values(), net.state_dict().values()):
            old.copy_(new)
print(average(torch.ones(2, 4)).shape == teacher(torch.ones(2, 4)).shape)

# Only shown, never trained.
print(build().eval()(torch.ones(2, 4)).shape)
