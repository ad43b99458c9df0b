"""Fits a line to inputs in the hundreds with a step that is far too large: the weights grow until they are NaN."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(8)
net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
inputs = 100 * torch.randn(64, 3)
wanted = inputs.sum(1, keepdim=True)

for step in range(60):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(inputs), wanted)
    loss.backward()
    optimizer.step()  # why: TW611
print(loss.item())
