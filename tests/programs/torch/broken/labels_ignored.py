"""All labels are those that the loss ignores: it is NaN, and its gradient is zero."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(6, 4)
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)

for step in range(5):
    x, labels = torch.randn(8, 6), torch.full((8,), -100)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(net(x), labels)  # why: TW209
    loss.backward()
    optimizer.step()
    print(step, loss.item())
