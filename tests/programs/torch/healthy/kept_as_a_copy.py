"""Copies are kept, and what shares memory is used before it changes, or is meant to change with it."""

import torch
from torch import nn

torch.manual_seed(0)
teacher = nn.Sequential(nn.Linear(4, 6), nn.ReLU(inplace=True))
student = nn.Linear(4, 6)
optimizer = torch.optim.SGD(student.parameters(), 0.1)
kept, average = [], torch.zeros(6)
teacher[0].register_forward_hook(lambda module, inputs, output: kept.append(output.detach().clone()))
shared = average.detach()
for _ in range(4):
    x = torch.randn(8, 4)
    with torch.no_grad():
        teacher(x)
    loss = (student(x) - kept[-1]).pow(2).mean()
    print(float(loss.detach()))
    loss /= 2
    hidden = torch.zeros(8, 6)
    before = hidden.detach()
    print(before.sum())
    hidden[:, 0] = 1.0
    average.mul_(0.9).add_(0.1 * kept[-1].mean(0))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    x = x.detach()
    x += 1.0
print(average.sum())
