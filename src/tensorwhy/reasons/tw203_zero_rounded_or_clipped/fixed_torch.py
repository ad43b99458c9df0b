"""Prices near 300 are clamped to a range that contains them."""

# requires: torch
import torch

torch.manual_seed(2)
rooms = 2 + 4 * torch.rand(20, 1)
prices = 60 * rooms
slope = torch.nn.Parameter(torch.tensor([[40.0]]))
base = torch.nn.Parameter(torch.tensor([20.0]))
optimizer = torch.optim.SGD([slope, base], lr=0.01)

for step in range(5):
    optimizer.zero_grad()
    predicted = (rooms @ slope + base).clamp(0.0, 1000.0)
    loss = (predicted - prices).abs().mean()
    loss.backward()
    optimizer.step()
    assert bool(slope.grad.any())
    print(step, loss.item(), slope.grad.item())
