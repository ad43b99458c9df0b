"""Learns an embedding by distances, with a small number added before the root."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(7)
points = nn.Parameter(torch.randn(6, 2))
wanted = torch.rand(6, 6).triu(1)
optimizer = torch.optim.SGD([points], lr=0.1)

for step in range(5):
    optimizer.zero_grad()
    apart = (((points[:, None] - points[None]) ** 2).sum(-1) + 1e-7).sqrt()
    loss = ((apart.triu(1) - wanted) ** 2).sum()
    loss.backward()
    optimizer.step()
    assert bool(points.isfinite().all())
    print(step, loss.item())
