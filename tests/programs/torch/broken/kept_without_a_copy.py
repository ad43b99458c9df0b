"""What `detach()` gives is kept as a copy, and changed by an activation in place, or by a division in place."""

import torch
from torch import nn

torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(4, 6), nn.ReLU(inplace=True))
student = nn.Linear(4, 6)
optimizer = torch.optim.SGD(student.parameters(), 0.1)
kept = []


def keep(module, inputs, output):
    kept.append(output.detach())  # why: TW123


teacher[0].register_forward_hook(keep)
total = torch.zeros(())
for _ in range(4):
    x = torch.randn(8, 4)
    with torch.no_grad():
        teacher(x)
    loss = (student(x) - kept[-1]).pow(2).mean()
    shown = loss.detach()  # why: TW123
    loss /= 2
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    total = total + shown
