"""Tests between epochs, a frozen part in evaluation mode, copies of the best weights, and of those for a test."""

import copy

import torch
from torch import nn

torch.manual_seed(0)


def block():
    return nn.Sequential(nn.Linear(4, 4), nn.BatchNorm1d(4), nn.Dropout(0.1))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = block(), nn.Sequential(block(), nn.Linear(4, 1))

    def forward(self, x):
        return self.head(self.body(x))


net = Net()
opt = torch.optim.Adam(net.parameters(), lr=0.01)
average = copy.deepcopy(net).eval()
best, kept = float("inf"), net.state_dict()
for epoch in range(4):
    net.train()
    if epoch > 1:
        net.body.eval()  # its statistics rest from now on
    for step in range(4):
        opt.zero_grad()
        (net(torch.randn(8, 4)) - 1).pow(2).mean().backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        for mean, now in zip(average.state_dict().values(), net.state_dict().values()):
            mean.copy_(0.5 * mean + 0.5 * now)
        before = copy.deepcopy(net.state_dict())
        net.load_state_dict(average.state_dict())
        loss = (net(torch.randn(8, 4)) - 1).pow(2).mean().item()
        net.load_state_dict(before)
    if loss < best:
        best, kept = loss, {name: each.clone() for name, each in net.state_dict().items()}
net.load_state_dict(kept)
net.load_state_dict(net.state_dict())
net.eval()
