"""Gradients are clipped before the scaler has divided them by its scale."""

# requires: torch>=2.3
import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
scaler = torch.amp.GradScaler("cpu", init_scale=4096.0)


def finish(loss):
    scaler.scale(loss).backward()
    clip_grad_norm_(net.parameters(), max_norm=1.0)  # why: TW121
    scaler.step(opt)
    scaler.update()


for step in range(5):
    opt.zero_grad()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        result = net(torch.randn(8, 4))
    finish((result.float() - 1).pow(2).mean())
