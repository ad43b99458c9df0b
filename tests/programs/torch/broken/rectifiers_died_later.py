"""A learning rate that kills all rectifiers in the first steps."""

import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
first, second, out = nn.Linear(20, 32), nn.Linear(32, 32), nn.Linear(32, 4)
opt = torch.optim.Adam([*first.parameters(), *second.parameters(), *out.parameters()], lr=0.5)
for _ in range(40):
    x = torch.rand(32, 20)
    y = torch.randint(0, 4, (32,))
    loss = F.cross_entropy(out(F.relu(second(F.relu(first(x))))), y)  # why: TW201
    opt.zero_grad()
    loss.backward()
    opt.step()
