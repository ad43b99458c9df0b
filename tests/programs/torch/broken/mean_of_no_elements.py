"""One batch leaves nothing under the mask: the loss is a mean of no element, and the gradient of it is zero."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def masked(error, keep):
    return error[keep].mean()  # why: TW611


for step in range(6):
    x = torch.randn(6, 4)
    keep = torch.full((6,), step != 1)
    loss = masked((net(x)[:, 0] - x[:, 0]) ** 2, keep)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
