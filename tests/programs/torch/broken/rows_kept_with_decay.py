"""The gradient of known rows of an embedding is set to zero, and weight decay shrinks them all the same."""

import torch
from torch import nn

torch.manual_seed(0)
table, head = nn.Embedding(12, 4), nn.Linear(4, 1)
optimizer = torch.optim.AdamW([*table.parameters(), *head.parameters()], lr=1e-2, weight_decay=0.1)
for step in range(10):
    tokens = torch.randint(0, 12, (32,))
    loss = (head(table(tokens)) - tokens[:, None] / 12).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    keep = torch.ones(12, 1)
    keep[:6] = 0
    table.weight.grad = table.weight.grad * keep  # why: TW607
    optimizer.step()
