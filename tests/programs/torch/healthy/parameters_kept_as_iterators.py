"""Iterators of parameters that are kept after an optimizer, a count, or a first copy has read them."""

import torch
from torch import nn

torch.manual_seed(0)
model, target = nn.Linear(3, 1), nn.Linear(3, 1)
parameters, counted = model.parameters(), model.parameters()
pairs = zip(model.parameters(), target.parameters())
with torch.no_grad():
    for own, other in pairs:
        other.copy_(own)
print(sum(each.numel() for each in counted))
optimizer = torch.optim.SGD(parameters, lr=0.05)
x = torch.randn(16, 3)
for step in range(12):
    optimizer.zero_grad()
    with torch.no_grad():
        wanted = target(x) + 1
    nn.functional.mse_loss(model(x), wanted).backward()
    optimizer.step()
    if step % 4 == 3:
        target.load_state_dict(model.state_dict())
