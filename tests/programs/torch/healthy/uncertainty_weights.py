"""Losses weighted by learned uncertainties, logged as detached copies."""

import torch
from torch import nn
import torch.nn.functional as F

net, heads = nn.Linear(4, 8), nn.ModuleList(nn.Linear(8, 1) for _ in range(3))
log_vars = nn.Parameter(torch.zeros(3))
opt = torch.optim.Adam([*net.parameters(), *heads.parameters(), log_vars])
log = []
for step in range(4):
    h = torch.relu(net(torch.randn(8, 4)))
    losses = torch.stack([head(h).pow(2).mean() for head in heads])
    loss = (losses * torch.exp(-log_vars) + log_vars).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    log.append(losses.detach().tolist())
    print(f"{loss.item():.4f} {len(log)}")
