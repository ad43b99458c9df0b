"""Domain adaptation with a reversed gradient."""

import torch
from torch import nn
import torch.nn.functional as F

class Reverse(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, scale):
        ctx.scale = scale
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -ctx.scale * grad, None


body, label, domain = nn.Linear(4, 8), nn.Linear(8, 2), nn.Linear(8, 2)
opt = torch.optim.Adam([p for m in (body, label, domain) for p in m.parameters()])
for step in range(4):
    h = torch.relu(body(torch.randn(8, 4)))
    y, d = torch.randint(0, 2, (8,)), torch.randint(0, 2, (8,))
    loss = F.cross_entropy(label(h), y) + F.cross_entropy(domain(Reverse.apply(h, 0.3)), d)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
