"""First-order meta-learning: an adapted copy gives its gradients to the model."""

import torch
from torch import nn
import torch.nn.functional as F

import copy

model = nn.Linear(4, 1)
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
for step in range(4):
    opt.zero_grad()
    for task in range(2):
        learner = copy.deepcopy(model)
        inner = torch.optim.SGD(learner.parameters(), lr=0.1)
        x, y = torch.randn(8, 4), torch.randn(8, 1)
        inner.zero_grad()
        F.mse_loss(learner(x), y).backward()
        inner.step()
        grads = torch.autograd.grad(F.mse_loss(learner(x), y), list(learner.parameters()))
        for p, g in zip(model.parameters(), grads):
            p.grad = g.clone() if p.grad is None else p.grad + g
    opt.step()
print("done")
