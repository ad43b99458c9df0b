"""An optimizer of the program's own, and gradients that are set by hand."""

import torch
from torch import nn
import torch.nn.functional as F

class Sign(torch.optim.Optimizer):
    def __init__(self, params, lr=0.01):
        super().__init__(params, {"lr": lr})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    p.add_(p.grad.sign(), alpha=-group["lr"])


model = nn.Linear(4, 1)
opt = Sign(model.parameters())
for step in range(4):
    loss = model(torch.randn(8, 4)).pow(2).mean()
    grads = torch.autograd.grad(loss, list(model.parameters()))
    for p, g in zip(model.parameters(), grads):
        p.grad = g
    opt.step()
    opt.zero_grad()
    print(f"{loss.item():.4f}")
