"""The gradient of a score with respect to the input of a trained model."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, 3)).eval()
x = torch.randn(4, 6, requires_grad=True)
model(x).max(1).values.sum().backward()
print(x.grad.abs().sum() > 0)
hidden = model[0](x)
hidden.retain_grad()
model[2](model[1](hidden)).sum().backward()
print(hidden.grad.shape)
