"""A step with a large gradient is skipped, and the scaler is not told."""

# requires: torch>=2.3
import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu")
for step in range(4):
    opt.zero_grad()
    scaler.scale((net(torch.ones(8, 4)) + 100).pow(2).mean()).backward()
    scaler.unscale_(opt)  # why: TW701
    if torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0) > 1.0:
        continue
    scaler.step(opt)
    scaler.update()
