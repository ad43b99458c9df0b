"""A reentrant checkpoint whose input requires no gradient."""

import torch
from torch import nn
import torch.nn.functional as F

from torch.utils.checkpoint import checkpoint

body, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for step in range(3):
    hidden = checkpoint(body, torch.randn(8, 4), use_reentrant=True)  # why: TW124
    loss = head(hidden).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
