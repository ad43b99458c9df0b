"""An adapter is registered under the path of the layer that it should replace, as if that were one name."""

import torch
from torch import nn

torch.manual_seed(0)


class Adapter(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.down, self.up = nn.Linear(size, 2), nn.Linear(2, size)

    def forward(self, x):
        return x + self.up(torch.relu(self.down(x)))


def insert(net, path):
    adapter = Adapter(8)
    setattr(net, path, adapter)  # why: TW115
    return adapter


net = nn.ModuleDict({"body": nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8)), "head": nn.Linear(8, 1)})
insert(net, "body.2")
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    loss = net["head"](net["body"](torch.randn(8, 4))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
