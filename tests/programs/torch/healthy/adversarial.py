"""Adversarial training: the attack uses the model's gradients of the input alone."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Linear(6, 3)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    x, y = torch.randn(8, 6), torch.randint(0, 3, (8,))
    attacked = x.clone().detach().requires_grad_(True)
    slope = torch.autograd.grad(F.cross_entropy(model(attacked), y), attacked)[0]
    attacked = (attacked + 0.1 * slope.sign()).detach()
    loss = F.cross_entropy(model(attacked), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
