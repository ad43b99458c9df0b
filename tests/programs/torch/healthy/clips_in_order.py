"""Clips of two networks in turn, of each micro-batch, of scaled gradients, and of an iterator that is made anew."""

# requires: torch>=2.3
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_, clip_grad_value_

torch.manual_seed(0)
one, two = nn.Linear(4, 4), nn.Linear(4, 1)
first, second = (torch.optim.SGD(net.parameters(), lr=0.1) for net in (one, two))
for step in range(6):
    first.zero_grad()
    second.zero_grad()
    two(one(torch.randn(8, 4)).detach()).pow(2).mean().backward()
    clip_grad_norm_(filter(lambda p: p.requires_grad, two.parameters()), 0.5)
    one(torch.randn(8, 4)).pow(2).mean().backward()
    clip_grad_value_(one.parameters(), 0.1)
    second.step()
    first.step()

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    for part in range(2):
        net(torch.randn(8, 4)).pow(2).mean().backward()
        clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    opt.zero_grad()

scaler = torch.amp.GradScaler("cpu", init_scale=1024.0)
for step in range(5):
    opt.zero_grad()
    scaler.scale((net(torch.randn(8, 4)) - 3).pow(2).mean()).backward()
    scaler.unscale_(opt)
    clip_grad_norm_(net.parameters(), 1.0)
    scaler.step(opt)
    scaler.update()

probe = nn.Linear(4, 1)
for step in range(4):  # how large would the gradients be?
    print(float(clip_grad_norm_(probe.parameters(), 1e9)))
