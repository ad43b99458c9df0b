"""A head that is made at the first call, after the optimizer."""

import torch
from torch import nn
import torch.nn.functional as F

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 8)
        self.head = None

    def forward(self, x):
        hidden = torch.relu(self.body(x))
        if self.head is None:
            self.head = nn.Linear(hidden.shape[1], 1)  # why: TW603
        return self.head(hidden)


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(5):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
