"""Calls that freeze parameters and compute gradients, after which training thaws them, or had trained them before."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


def network():
    return nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 3))


def epoch(net, optimizer, steps=4):
    for _ in range(steps):
        x = torch.randn(16, 8)
        loss = F.cross_entropy(net(x), x[:, :3].argmax(1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def warm_up(net):
    net[0].requires_grad_(False)
    optimizer = torch.optim.Adam(net[2].parameters())
    for _ in range(4):
        x = torch.randn(16, 8)
        F.cross_entropy(net(x), x[:, :3].argmax(1)).backward()
        optimizer.step()
        optimizer.zero_grad()


def generator_step(generator, judge, optimizer):
    judge.requires_grad_(False)
    loss = F.softplus(-judge(generator(torch.randn(16, 8)))).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def judge_step(generator, judge, optimizer):
    judge.requires_grad_(True)
    loss = F.softplus(judge(generator(torch.randn(16, 8)).detach())).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def progressive(net, optimizer, number):
    if number == 1:
        net[0].requires_grad_(False)
    epoch(net, optimizer, 2)


def built():
    net = network()
    net[0].requires_grad_(False)
    print(net(torch.zeros(1, 8)).shape)
    return net


thawed = network()
warm_up(thawed)
thawed.requires_grad_(True)
epoch(thawed, torch.optim.Adam(thawed.parameters()))
late = network()
warm_up(late)
optimizer = torch.optim.Adam(late.parameters())
epoch(late, optimizer, 20)
late.requires_grad_(True)
epoch(late, optimizer, 20)
net = network()
optimizer = torch.optim.Adam(net.parameters())
for number in range(4):
    progressive(net, optimizer, number)
net = built()
epoch(net, torch.optim.Adam(net.parameters()))
generator, judge = network(), nn.Linear(3, 1)
optimizers = torch.optim.Adam(generator.parameters()), torch.optim.Adam(judge.parameters())
for _ in range(4):
    generator_step(generator, judge, optimizers[0])
    judge_step(generator, judge, optimizers[1])
