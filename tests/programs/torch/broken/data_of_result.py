""".data in the middle of a network."""

import torch
from torch import nn
import torch.nn.functional as F

body, head = nn.Linear(4, 8), nn.Linear(8, 1)
opt = torch.optim.SGD([*body.parameters(), *head.parameters()], lr=0.1)
for step in range(4):
    hidden = torch.relu(body(torch.randn(8, 4)))
    hidden = hidden.data * 2  # why: TW104
    loss = head(hidden).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
