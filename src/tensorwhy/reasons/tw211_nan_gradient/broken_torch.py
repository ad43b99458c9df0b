"""Learns an embedding by distances, of which those of a point to itself are zero: the root has no slope there."""

# requires: torch>=2.3
import torch
from torch import nn

torch.manual_seed(7)
points = nn.Parameter(torch.randn(6, 2))
wanted = torch.rand(6, 6).triu(1)
optimizer = torch.optim.SGD([points], lr=0.1)

for step in range(5):
    optimizer.zero_grad()
    apart = ((points[:, None] - points[None]) ** 2).sum(-1).sqrt()  # why: TW211
    loss = ((apart.triu(1) - wanted) ** 2).sum()
    loss.backward()
    optimizer.step()
    print(step, loss.item())
