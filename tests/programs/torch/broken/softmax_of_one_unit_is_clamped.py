"""Probabilities of one unit, clamped for the logarithm: the clamp stops the gradient, but a softmax made the ones."""

import torch
from torch import nn

torch.manual_seed(0)


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return torch.softmax(self.body(x), dim=-1)  # why: TW206


def focal(p, y):
    p = p.clamp(1e-6, 1 - 1e-6)
    hit = y * p + (1 - y) * (1 - p)
    return -((1 - hit) * hit.log()).mean()


x = torch.randn(32, 6)
y = (x.sum(1, keepdim=True) > 0).float()
net = Tagger()
opt = torch.optim.Adam(net.parameters(), lr=1e-2)
for step in range(10):
    loss = focal(net(x), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
