"""A larger model takes the place of the first one, and gets an optimizer of its own; the first one is kept."""

import torch
from torch import nn

torch.manual_seed(4)
x, y = torch.randn(40, 5), torch.randn(40, 1)
model = nn.Linear(5, 1)
optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
first = optimizer
for epoch in range(60):
    if epoch == 20:
        model = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 1))
        optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
    loss = nn.functional.mse_loss(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(len(first.param_groups), "group is left behind")
