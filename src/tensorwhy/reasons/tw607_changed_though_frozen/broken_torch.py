"""A frozen part with batch normalization, left in training mode."""

# requires: torch
import torch
from torch import nn

body = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU())
head = nn.Linear(16, 1)
body.requires_grad_(False)  # why: TW607
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)
batch, wanted = torch.randn(32, 8) + 3, torch.randn(32, 1)
before = body[1].running_mean.clone()

for step in range(4):
    loss = nn.functional.mse_loss(head(body(batch)), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

print("moved", not torch.equal(body[1].running_mean, before))
