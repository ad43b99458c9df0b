"""Groups that an optimizer got before a state was loaded stay as they are, and the schedule knows the new ones."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Linear(4, 1)
given = [{"params": [model.weight], "lr": 0.01}, {"params": [model.bias], "lr": 0.1}]
optimizer = torch.optim.SGD(given, momentum=0.9)
schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1.0, (step + 1) / 4))
optimizer.load_state_dict(optimizer.state_dict())
kept = optimizer.param_groups
for step in range(6):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    schedule.step()
    for group in kept:
        group["lr"] *= 0.9
print(given[0]["lr"], optimizer.param_groups[0]["lr"])
