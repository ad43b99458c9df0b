"""The slope is asked at points that never required a gradient."""

# requires: torch
import torch

weights = torch.nn.Parameter(torch.ones(3))
points = torch.rand(3)  # why: TW101
print(torch.autograd.grad((weights * points).sum(), points))
