"""A layer keeps what it prepared in the first step, under another name than it has where it is computed."""

import torch
from torch import nn

torch.manual_seed(0)


class Graph(nn.Module):
    def __init__(self):
        super().__init__()
        self.scores, self.out = nn.Parameter(torch.randn(5, 5)), nn.Linear(3, 1)
        self.prepared = None

    def prepare(self):
        if self.prepared is not None:
            return self.prepared
        weights = torch.softmax(self.scores, 1)
        if self.training:
            self.prepared = weights
        return weights

    def forward(self, x):
        return self.out(self.prepare() @ x)  # why: TW120


net = Graph()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    loss = net(torch.randn(5, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
