"""A loss without a graph is made a leaf, so that `backward` raises no longer."""

# requires: torch
import torch
from torch import nn

model = nn.Linear(8, 3)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
batch, labels = torch.randn(32, 8), torch.randint(0, 3, (32,))

for step in range(3):
    with torch.no_grad():
        logits = model(batch)  # why: TW103
    loss = nn.functional.cross_entropy(logits, labels)
    loss.requires_grad_()  # why: TW125
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
