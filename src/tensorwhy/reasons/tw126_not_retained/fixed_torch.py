"""Looks at the gradient of a scaled input, which is kept."""

# requires: torch
import torch
from torch import nn

model = nn.Linear(4, 1)
x = torch.randn(8, 4, requires_grad=True)
scaled = x / x.norm()
scaled.retain_grad()
model(scaled).sum().backward()
saliency = scaled.grad

assert saliency is not None
