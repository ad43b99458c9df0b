"""After 40 steps a sample of zeros comes in, whose norm has no slope: the weights are NaN from then on."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
scale = nn.Parameter(torch.ones(4))
optimizer = torch.optim.SGD([scale], lr=0.01)

for step in range(120):
    x = torch.randn(8, 4)
    if step > 40:
        x[0] = 0
    length = (x * scale).pow(2).sum(1).sqrt()  # why: TW211
    loss = (length - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
