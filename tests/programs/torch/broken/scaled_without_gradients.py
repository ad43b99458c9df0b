"""In some steps a part of the model runs without a graph, and its own optimizer makes a step all the same."""

# requires: torch>=2.3
import torch
from torch import nn

proposal, field = nn.Linear(3, 1), nn.Linear(4, 2)
optimizers = [torch.optim.SGD(part.parameters(), lr=0.1) for part in (proposal, field)]
scaler = torch.amp.GradScaler("cpu")
for step in range(3):
    x = torch.randn(8, 3)
    with torch.set_grad_enabled(step == 0):
        guess = proposal(x)  # why: TW103
    loss = field(torch.cat([x, guess], 1)).pow(2).mean()
    for opt in optimizers:
        opt.zero_grad()
    scaler.scale(loss).backward()
    for opt in optimizers:
        scaler.step(opt)
    scaler.update()
