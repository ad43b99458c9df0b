"""A loss that was made a leaf to silence the error."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    guess = net(torch.randn(8, 4)).argmax(1)  # why: TW106
    loss = (guess.float() - 1).pow(2).mean()
    loss.requires_grad_(True)  # why: TW125
    opt.zero_grad()
    loss.backward()
    opt.step()
