"""A learning rate that begins at zero."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Linear(4, 1)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
schedule = torch.optim.lr_scheduler.LambdaLR(opt, lambda step: min(step / 4, 1.0))
for step in range(6):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    loss.backward()
    opt.step()
    opt.zero_grad()
    schedule.step()
    print(f"{loss.item():.4f} {schedule.get_last_lr()[0]:.4f}")
