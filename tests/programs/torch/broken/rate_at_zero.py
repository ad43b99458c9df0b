"""The schedule counts epochs, and goes on with each batch: soon the learning rate is 0."""

import torch
from torch import nn

epochs, batches = 4, 10
net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
schedule = torch.optim.lr_scheduler.PolynomialLR(opt, total_iters=epochs)  # why: TW604
for step in range(epochs * batches):
    loss = (net(torch.randn(8, 4)) - 1).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    schedule.step()
