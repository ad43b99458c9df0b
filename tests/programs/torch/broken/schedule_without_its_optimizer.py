"""A schedule goes on at epoch 3 with a new optimizer, whose state was not loaded."""

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.StepLR(opt, step_size=2, last_epoch=3)  # why: TW701
