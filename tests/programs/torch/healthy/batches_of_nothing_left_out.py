"""Batches with nothing under the mask make no step: before `backward`, or once its gradients were looked at."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for step in range(60):
    x = torch.randn(6, 4)
    keep = x[:, 1] > (9.0 if step in (2, 30, 50) else 0.0)
    error = (net(x)[:, 0] - x[:, 0]) ** 2
    if step < 40 and not keep.any():
        continue
    loss = error[keep].mean()
    optimizer.zero_grad()
    loss.backward()
    if loss.isfinite():
        optimizer.step()
print(net.weight)
