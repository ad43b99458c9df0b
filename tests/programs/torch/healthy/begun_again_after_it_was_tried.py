"""Loaded weights are evaluated, and the same network is then trained from random ones, for comparison."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(16, 4), torch.randn(16, 1)
state = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1)).state_dict()
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
model.load_state_dict(state)
with torch.no_grad():
    print(f"{nn.functional.mse_loss(model(x), y).item():.3f}")
for layer in (model[0], model[2]):
    nn.init.kaiming_normal_(layer.weight)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{loss.item():.3f}")
