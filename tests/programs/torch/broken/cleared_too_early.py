"""zero_grad stands between backward and step."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    opt.zero_grad()  # why: TW604
    opt.step()
