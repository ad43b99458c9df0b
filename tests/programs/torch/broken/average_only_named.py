"""A target network should begin as a copy: the loop that copies only gives its own names to other tensors."""

import torch
from torch import nn


def synchronized(source, target):
    for (_, mine), (name, theirs) in zip(source.named_parameters(), target.named_parameters()):
        with torch.no_grad():
            theirs = mine.detach().clone()  # why: TW112
    return target


torch.manual_seed(0)
online = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
target = synchronized(online, nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1)))
optimizer = torch.optim.Adam(online.parameters(), lr=1e-2)
for _ in range(4):
    x = torch.randn(16, 4)
    with torch.no_grad():
        wanted = 0.9 * target(x.roll(1, 0)) + x[:, :1]
    loss = nn.functional.mse_loss(online(x), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(loss.item())
