"""A schedule of epochs is given the loss, as one that waits for a plateau would be."""

import torch
from torch import nn
from torch.optim.lr_scheduler import ExponentialLR

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
schedule = ExponentialLR(optimizer, 0.5)


def validate():
    with torch.no_grad():
        x = torch.randn(16, 5)
        return nn.functional.l1_loss(net(x), x.sum(1, keepdim=True) * 3)


for epoch in range(8):
    for _ in range(4):
        x = torch.randn(16, 5)
        loss = nn.functional.l1_loss(net(x), x.sum(1, keepdim=True) * 3)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    schedule.step(validate())  # why: TW121
