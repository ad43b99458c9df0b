"""The weights of the best step are kept without a copy, so that loading them restores nothing."""

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best, kept = float("inf"), None
for step in range(6):
    loss = (net(torch.randn(8, 4)) - 1).pow(2).mean()
    if loss.item() < best:
        best, kept = loss.item(), {"net": net.state_dict(), "step": step}  # why: TW605
    opt.zero_grad()
    loss.backward()
    opt.step()
net.load_state_dict(kept["net"])
