"""Several tasks: gradients of each loss are projected away from one another before the step (PCGrad), then GradNorm."""

import random

import torch
from torch import nn


class PCGrad:
    def __init__(self, optimizer):
        self._optim = optimizer

    def zero_grad(self):
        return self._optim.zero_grad(set_to_none=True)

    def step(self):
        return self._optim.step()

    def pc_backward(self, objectives):
        params = [p for g in self._optim.param_groups for p in g["params"]]
        grads, has = [], []
        for objective in objectives:
            self.zero_grad()
            objective.backward(retain_graph=True)
            grads.append(torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten().clone() for p in params]))
            has.append(torch.cat([torch.full_like(p, float(p.grad is not None)).flatten() for p in params]))
        projected = [g.clone() for g in grads]
        for g_i in projected:
            others = grads[:]
            random.shuffle(others)
            for g_j in others:
                dot = torch.dot(g_i, g_j)
                if dot < 0:
                    g_i -= dot * g_j / (g_j.norm() ** 2)
        merged, at = sum(projected), 0
        for p in params:
            p.grad = merged[at : at + p.numel()].view_as(p)
            at += p.numel()


random.seed(0)
shared, heads = nn.Sequential(nn.Linear(5, 12), nn.Tanh()), nn.ModuleList([nn.Linear(12, 1), nn.Linear(12, 1)])
optimizer = PCGrad(torch.optim.Adam([*shared.parameters(), *heads.parameters()], lr=1e-3))
for step in range(4):
    x = torch.randn(16, 5)
    h = shared(x)
    losses = [(heads[0](h).squeeze(1) - x.sum(1)).pow(2).mean(), (heads[1](h).squeeze(1) + x.sum(1)).pow(2).mean()]
    optimizer.zero_grad()
    optimizer.pc_backward(losses)
    optimizer.step()
    print(" ".join(f"{each.item():.4f}" for each in losses))

weights = nn.Parameter(torch.ones(2))
opt_w, opt_m = torch.optim.SGD([weights], lr=0.05), torch.optim.SGD([*shared.parameters(), *heads.parameters()], lr=0.05)
first = None
for step in range(4):
    x = torch.randn(16, 5)
    h = shared(x)
    losses = torch.stack([(heads[0](h).squeeze(1) - x[:, 0]).pow(2).mean(), (heads[1](h).squeeze(1) - x[:, 1]).abs().mean()])
    first = losses.detach() if first is None else first
    opt_m.zero_grad()
    (weights * losses).sum().backward(retain_graph=True)
    weights.grad = None
    norms = torch.stack([
        torch.norm(torch.autograd.grad(weights[i] * losses[i], shared[0].weight, retain_graph=True, create_graph=True)[0])
        for i in range(2)
    ])
    ratio = losses.detach() / first
    target = (norms.mean().detach() * (ratio / ratio.mean()) ** 0.5).detach()
    weights.grad = torch.autograd.grad((norms - target).abs().sum(), weights)[0]
    opt_m.step()
    opt_w.step()
    with torch.no_grad():
        weights.mul_(2 / weights.sum())
print(weights.requires_grad)
