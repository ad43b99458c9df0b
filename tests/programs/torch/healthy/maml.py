"""Meta-learning: an inner step whose gradient is differentiated again."""

import torch
from torch import nn
import torch.nn.functional as F

model = nn.Linear(3, 1)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(4):
    total = 0
    for task in range(2):
        x, y = torch.randn(8, 3), torch.randn(8, 1)
        inner = F.mse_loss(model(x), y)
        grads = torch.autograd.grad(inner, model.parameters(), create_graph=True)
        weight, bias = (each - 0.1 * grad for each, grad in zip(model.parameters(), grads))
        total = total + F.mse_loss(F.linear(x, weight, bias), y)
    opt.zero_grad()
    total.backward()
    opt.step()
    print(f"{total.item():.4f}")
