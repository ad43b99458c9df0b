"""A backbone is frozen and put into evaluation mode once; each epoch begins with `train()` of the whole model."""

import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU())
        self.head = nn.Linear(8, 1)

    def freeze(self):
        self.body.eval()
        for each in self.body.parameters():
            each.requires_grad = False

    def forward(self, x):
        return self.head(self.body(x))


def epoch(net, optimizer):
    net.train()  # why: TW607
    for _ in range(3):
        optimizer.zero_grad()
        net(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


net = Net()
net.freeze()
optimizer = torch.optim.SGD(net.head.parameters(), lr=0.1)
for _ in range(3):
    epoch(net, optimizer)
