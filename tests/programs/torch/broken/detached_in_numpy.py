"""A loss that goes through NumPy."""

import torch
from torch import nn
import torch.nn.functional as F

import numpy as np

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(3):
    out = net(torch.randn(8, 4))
    smooth = np.log1p(out.detach().numpy() ** 2)  # why: TW110
    loss = torch.from_numpy(smooth).mean().requires_grad_()  # why: TW125
    opt.zero_grad()
    loss.backward()
    opt.step()
