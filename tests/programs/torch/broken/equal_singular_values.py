"""A matrix is kept orthogonal by its singular vectors, and begins as the identity: all singular values are 1."""

import torch
from torch import nn


class Turn(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(torch.eye(4))

    def forward(self, x):
        left, _, right = torch.linalg.svd(self.raw)  # why: TW211
        return x @ (left @ right)


net = Turn()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.randn(8, 4)
loss = (net(x) - x.roll(1, 1)).pow(2).mean()
loss.backward()
opt.step()
