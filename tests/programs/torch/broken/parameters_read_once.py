"""A hand-written update loops over the iterator that `parameters()` gave once."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(3, 1)
settings = {"parameters": model.parameters(), "rate": 0.05}  # why: TW121
x, y = torch.randn(16, 3), torch.randn(16, 1)
for _ in range(12):
    model.zero_grad()
    nn.functional.mse_loss(model(x), y).backward()
    with torch.no_grad():
        for parameter in settings["parameters"]:
            parameter -= settings["rate"] * parameter.grad
