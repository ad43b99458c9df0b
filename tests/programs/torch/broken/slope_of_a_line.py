"""A second derivative is asked of a straight line: its slope has no graph, though one was asked for."""

# requires: torch
import torch


def slope(values, points):
    return torch.autograd.grad(values.sum(), points, create_graph=True)[0]  # why: TW106


for curve in (torch.sin, lambda x: 3 * x - 1):
    x = torch.linspace(0, 1, 5, requires_grad=True)
    print(slope(slope(curve(x), x), x))
