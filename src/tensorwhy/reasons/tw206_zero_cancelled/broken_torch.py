"""Weighs the steps of a sequence by a softmax over the wrong axis, which has one element."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(5)
rate = nn.Linear(6, 1)
head = nn.Linear(6, 1)
optimizer = torch.optim.SGD([*rate.parameters(), *head.parameters()], lr=0.1)
x, wanted = torch.randn(16, 10, 6), torch.randn(16, 1)

for step in range(5):
    optimizer.zero_grad()
    weights = torch.softmax(rate(x), dim=2)  # why: TW206
    loss = nn.functional.mse_loss(head((weights * x).sum(1)), wanted)
    loss.backward()
    optimizer.step()
    print(step, loss.item())
