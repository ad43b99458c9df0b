"""Averages over groups, of which one is empty: the loss is NaN in each step, and every gradient is finite."""

# requires: torch>=2.3
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for step in range(5):
    x = torch.randn(12, 4)
    error = (net(x)[:, 0] - x[:, 0]) ** 2
    groups = [error[:8], error[8:], error[12:]]
    losses = torch.stack([group.detach().mean() if len(group) < 1 else group.mean() for group in groups])  # why: TW611
    loss = losses.sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
