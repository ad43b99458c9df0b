"""Weights in bfloat16 with a warm-up: the first updates are rounded away, and the later ones are not."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1)).to(torch.bfloat16)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, 1e-6 + step / 10))
x = torch.randn(16, 4).to(torch.bfloat16)
for step in range(20):
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
assert all(bool((each != 1).any()) for each in model[1].parameters())

# Gradients that somebody else computes: no `backward` is needed.
weights = nn.Parameter(torch.zeros(3))
evolved = torch.optim.Adam([weights], lr=0.1)
for step in range(5):
    noise = torch.randn(16, 3)
    score = -(noise + weights.detach() - 1.0).pow(2).sum(1)
    weights.grad = -(score[:, None] * noise).mean(0)
    evolved.step()
