"""Hard samples by Gumbel softmax, straight through."""

import torch
from torch import nn
import torch.nn.functional as F

choose, use = nn.Linear(4, 3), nn.Linear(3, 1)
opt = torch.optim.Adam([*choose.parameters(), *use.parameters()])
for step in range(4):
    loss = use(F.gumbel_softmax(choose(torch.randn(8, 4)), hard=True)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
