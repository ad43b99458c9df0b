"""Weights in float16 with an eps that is not 0 there, and weights that are put back after a step that lost them."""

# requires: torch>=2.2
import copy

import torch
from torch import nn


def in_half():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Embedding(6, 4), nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2)).half()
    opt = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-4)
    for _ in range(5):
        loss = net(torch.tensor([0, 1, 2])).float().square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(all(bool(p.isfinite().all()) for p in net.parameters()))


def put_back():
    torch.manual_seed(0)
    net = nn.Linear(2, 1)
    opt = torch.optim.SGD(net.parameters(), lr=1e30)
    kept = copy.deepcopy(net.state_dict())
    x = torch.randn(16, 2)
    for step in range(6):
        loss = (net(x) - 1).square().mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        if not all(bool(p.isfinite().all()) for p in net.parameters()) or net.weight.abs().max() > 10:
            net.load_state_dict(kept)
            opt.param_groups[0]["lr"] = 0.1
    print(all(bool(p.isfinite().all()) for p in net.parameters()))


in_half()
put_back()
