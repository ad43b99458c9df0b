"""A network whose weights another network gives."""

import torch
from torch import nn
import torch.nn.functional as F

hyper = nn.Linear(3, 4 * 2 + 2)
opt = torch.optim.Adam(hyper.parameters())
for step in range(4):
    given = hyper(torch.randn(3))
    weight, bias = given[:8].view(2, 4), given[8:]
    loss = F.linear(torch.randn(8, 4), weight, bias).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
