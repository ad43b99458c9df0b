"""A single batch without a label, long after the first steps: the loss of this one step is NaN."""

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss(ignore_index=-1)
losses = []
for step in range(45):
    x, labels = torch.randn(6, 4), torch.randint(0, 3, (6,))
    if step == 30:
        labels[:] = -1
    optimizer.zero_grad()
    loss = criterion(net(x), labels)  # why: TW611
    loss.backward()
    optimizer.step()
    losses.append(loss.item())
print(sum(losses) / len(losses))
