"""The pooling branch is normalized over two samples."""

import torch
from torch import nn

torch.manual_seed(0)


class Pyramid(nn.Module):
    def __init__(self):
        super().__init__()
        self.near = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.BatchNorm2d(4))
        self.far = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Conv2d(3, 4, 1), nn.BatchNorm2d(4))

    def forward(self, x):
        branches = [self.near(x)]
        for layer in self.far:
            x = layer(x)
        return branches[0] + x


net = Pyramid()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in torch.randn(4, 3, 8, 8).split(2):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
