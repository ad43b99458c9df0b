"""A reentrant checkpoint around a block that detaches its result."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

torch.manual_seed(0)
stem, middle, head = nn.Linear(4, 8), nn.Linear(8, 8), nn.Linear(8, 1)


def block(h):
    return torch.relu(middle(h)).detach()


opt = torch.optim.SGD([*stem.parameters(), *head.parameters()], lr=0.1)
h = checkpoint(block, stem(torch.randn(6, 4)), use_reentrant=True)  # why: TW124
loss = head(h).pow(2).mean()
opt.zero_grad()
loss.backward()
opt.step()
