"""Frozen embeddings go into a checkpointed block, which is to be trained."""

# requires: torch
import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

embed = nn.Embedding(20, 8).requires_grad_(False)
block, head = nn.Sequential(nn.Linear(8, 8), nn.ReLU()), nn.Linear(8, 1)
optimizer = torch.optim.Adam([*block.parameters(), *head.parameters()])

for step in range(3):
    tokens = torch.randint(0, 20, (4, 6))
    hidden = checkpoint(block, embed(tokens), use_reentrant=True)  # why: TW124
    loss = head(hidden).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
