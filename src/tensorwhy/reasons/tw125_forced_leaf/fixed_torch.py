"""The loss has a graph, and nothing needs to be forced."""

# requires: torch
import torch
from torch import nn

model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch, labels = torch.randn(32, 8), torch.randint(0, 3, (32,))

for step in range(3):
    logits = model(batch)
    loss = nn.functional.cross_entropy(logits, labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

assert model.weight.grad is not None
