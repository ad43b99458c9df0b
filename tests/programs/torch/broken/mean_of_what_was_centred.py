"""Features are centred over their positions and then averaged over the same ones: nothing is left of them."""

import torch
from torch import nn

torch.manual_seed(0)
features, head = nn.Conv1d(2, 4, 3), nn.Linear(4, 1)
optimizer = torch.optim.Adam([*features.parameters(), *head.parameters()])


def centred(values):
    return (values - values.mean(dim=2, keepdim=True)) / (values.std(dim=2, keepdim=True) + 1e-5)


for _ in range(5):
    x = torch.randn(8, 2, 12)
    pooled = centred(features(x)).mean(dim=2)  # why: TW206
    loss = (head(pooled) - x[:, 0, :1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
