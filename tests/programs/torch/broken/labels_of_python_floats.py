"""Labels that are numbers of Python become float64 when they are batched."""

# requires: torch>=2.5
import torch
from torch import nn
from torch.utils.data import DataLoader

torch.manual_seed(9)
samples = [(torch.randn(4), 0.5 * number) for number in range(24)]
net = nn.Linear(4, 1)
criterion = nn.HuberLoss()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
for x, y in DataLoader(samples, batch_size=8):
    loss = 2 * criterion(net(x)[:, 0], y)  # why: TW701
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
