"""A term is capped below its value: the optimizer cannot lower it."""

import torch
import torch.nn.functional as F
from torch import nn

body, task, rotation = nn.Linear(4, 8), nn.Linear(8, 1), nn.Linear(8, 4)
optimizer = torch.optim.SGD([*body.parameters(), *task.parameters(), *rotation.parameters()], lr=0.01)
for step in range(5):
    hidden = torch.relu(body(torch.randn(16, 4)))
    turned = F.cross_entropy(rotation(hidden) * 0.1, torch.randint(0, 4, (16,)))
    loss = task(hidden).pow(2).mean() + 0.5 * torch.min(turned, torch.tensor(1.0))  # why: TW203
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
