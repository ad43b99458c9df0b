"""A batch without a label gives a loss of NaN, once in each epoch, long after the first steps."""

import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 3)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
batches = [(torch.randn(8, 4), torch.arange(8) % 3) for _ in range(30)]
batches[20][1].fill_(-100)
for epoch in range(3):
    for x, labels in batches:
        opt.zero_grad()
        F.cross_entropy(net(x), labels).backward()  # why: TW611
        opt.step()
