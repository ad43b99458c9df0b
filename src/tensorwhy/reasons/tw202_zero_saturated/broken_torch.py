"""Classifies counts in the thousands: the softmax gives exactly 0 or 1, where it is flat."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(3)
counts = torch.randint(0, 5000, (8, 40)).float()
wanted = torch.rand(8, 3)
net = nn.Sequential(nn.Linear(40, 3), nn.Softmax(dim=-1))  # why: TW202
optimizer = torch.optim.Adam(net.parameters(), lr=1e-6)

for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(counts), wanted)
    loss.backward()
    optimizer.step()
    print(step, loss.item())
