"""Predicts a price from areas in square feet; biases of -10,000 keep every unit of the hidden layer below zero."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(1)
area = 500 + 1500 * torch.rand(24, 1)
price = 200 * area
hidden = nn.Linear(1, 8)
nn.init.constant_(hidden.bias, -10_000.0)
net = nn.Sequential(hidden, nn.ReLU(), nn.Linear(8, 1))  # why: TW201
optimizer = torch.optim.SGD(net.parameters(), lr=1e-9)

for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(area), price)
    loss.backward()
    optimizer.step()
    print(step, hidden.weight.grad.norm().item())
