"""An image that is optimized against a frozen network."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.AdaptiveAvgPool2d(1)).requires_grad_(False)
image = torch.rand(1, 3, 8, 8, requires_grad=True)
opt = torch.optim.Adam([image], lr=0.05)
for step in range(5):
    opt.zero_grad()
    loss = -net(image.clamp(0, 1)).sum()
    loss.backward()
    opt.step()
    with torch.no_grad():
        image.clamp_(0, 1)
    print(f"{loss.item():.4f}")
