"""A recurrent state that is carried on with its history."""

import torch
from torch import nn
import torch.nn.functional as F

cell, head = nn.GRUCell(4, 8), nn.Linear(8, 1)
opt = torch.optim.SGD([*cell.parameters(), *head.parameters()], lr=0.1)
state = torch.zeros(2, 8)
for step in range(3):
    state = cell(torch.randn(2, 4), state)  # why: TW120
    loss = head(state).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
