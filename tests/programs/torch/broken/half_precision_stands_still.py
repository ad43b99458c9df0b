"""The scales of a model in bfloat16 begin at 1: each update is less than the distance to the next number."""

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 1)).to(torch.bfloat16)
optimizer = torch.optim.AdamW(model.parameters(), lr=5e-4, weight_decay=0.0)
x = torch.randn(16, 4).to(torch.bfloat16)


def train():
    loss = (model(x) - x.sum(1, keepdim=True)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # why: TW604


for step in range(8):
    train()
