"""Looks at the gradient of a scaled input, which is no leaf."""

# requires: torch
import torch
from torch import nn

model = nn.Linear(4, 1)
x = torch.randn(8, 4, requires_grad=True)
scaled = x / x.norm()  # why: TW126
model(scaled).sum().backward()
saliency = scaled.grad
print("saliency", saliency)
