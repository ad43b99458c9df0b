"""The head first, then the whole network, by a new parameter group."""

import torch
from torch import nn
import torch.nn.functional as F

body, head = nn.Linear(4, 8), nn.Linear(8, 1)
body.requires_grad_(False)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(8):
    if step == 4:
        body.requires_grad_(True)
        opt.add_param_group({"params": body.parameters(), "lr": 0.01})
    loss = head(torch.relu(body(torch.randn(8, 4)))).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
