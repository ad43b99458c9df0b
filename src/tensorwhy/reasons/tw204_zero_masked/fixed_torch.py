"""Scores of a word at each position; the mask leaves out label 0, the padding."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(3)
features, labels = torch.randn(12, 5), torch.randint(0, 4, (12,))
scores = nn.Linear(5, 4)
optimizer = torch.optim.SGD(scores.parameters(), lr=0.1)

for step in range(5):
    optimizer.zero_grad()
    losses = nn.functional.cross_entropy(scores(features), labels, reduction="none")
    keep = (labels != 0).float()
    loss = (losses * keep).sum() / (keep.sum() + 1e-9)
    loss.backward()
    optimizer.step()
    assert bool(scores.weight.grad.any())
    print(step, loss.item(), scores.weight.grad.norm().item())
