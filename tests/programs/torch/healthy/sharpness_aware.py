"""Two backward passes for each step, with weights moved in between."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Linear(4, 2)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x, y = torch.randn(8, 4), torch.randint(0, 2, (8,))
    F.cross_entropy(model(x), y).backward()
    with torch.no_grad():
        moves = [0.05 * p.grad / (p.grad.norm() + 1e-12) for p in model.parameters()]
        for p, move in zip(model.parameters(), moves):
            p.add_(move)
    opt.zero_grad()
    loss = F.cross_entropy(model(x), y)
    loss.backward()
    with torch.no_grad():
        for p, move in zip(model.parameters(), moves):
            p.sub_(move)
    opt.step()
    opt.zero_grad()
    print(f"{loss.item():.4f}")
