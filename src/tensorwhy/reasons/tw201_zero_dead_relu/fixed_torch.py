"""Predicts a price from areas that are scaled to values near 1; the biases start at zero, and units are on."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(1)
area = (500 + 1500 * torch.rand(24, 1)) / 1000
price = 0.2 * area
hidden = nn.Linear(1, 8)
nn.init.zeros_(hidden.bias)
net = nn.Sequential(hidden, nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)

for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(area), price)
    loss.backward()
    optimizer.step()
    assert bool(hidden.weight.grad.any())
    print(step, hidden.weight.grad.norm().item())
