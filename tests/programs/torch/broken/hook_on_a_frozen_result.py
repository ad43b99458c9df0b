"""The maps of a frozen backbone should keep their gradient, and have no graph."""

import torch
from torch import nn

torch.manual_seed(0)
backbone, head = nn.Conv2d(3, 4, 3), nn.Linear(4, 2)
backbone.requires_grad_(False)  # why: TW116
optimizer = torch.optim.SGD(head.parameters(), lr=0.1)


def kept(images):
    maps = backbone(images).relu()
    maps.retain_grad()
    return maps


loss = head(kept(torch.randn(2, 3, 8, 8)).mean((2, 3))).square().mean()
loss.backward()
optimizer.step()
