"""The best weights are kept without a copy, and saved at the end: the file has the last ones."""

import io

import torch
from torch import nn

net = nn.Linear(4, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
best = {"loss": float("inf")}
for step in range(6):
    opt.zero_grad()
    loss = (net(torch.full((8, 4), 1.0 + step)) - 1).pow(2).mean()
    loss.backward()
    opt.step()
    if step < 3:
        best = {"loss": loss.item(), "weights": net.state_dict()}  # why: TW605
torch.save(best, io.BytesIO())
