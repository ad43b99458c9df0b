"""Classifies counts that are scaled to values below 1: the softmax is far from the ends of its range."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(3)
counts = torch.randint(0, 5000, (8, 40)).float() / 5000
wanted = torch.rand(8, 3)
net = nn.Sequential(nn.Linear(40, 3), nn.Softmax(dim=-1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-6)

for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(counts), wanted)
    loss.backward()
    optimizer.step()
    assert all(bool(each.grad.any()) for each in net.parameters())
    print(step, loss.item())
