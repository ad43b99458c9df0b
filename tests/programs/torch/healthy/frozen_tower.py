"""A frozen encoder in evaluation mode, and a head that learns."""

import torch
from torch import nn
import torch.nn.functional as F

encoder = nn.Sequential(nn.Linear(6, 8), nn.BatchNorm1d(8), nn.ReLU())
encoder.eval()
for each in encoder.parameters():
    each.requires_grad = False
head = nn.Linear(8, 2)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(5):
    loss = F.cross_entropy(head(encoder(torch.randn(8, 6))), torch.randint(0, 2, (8,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
