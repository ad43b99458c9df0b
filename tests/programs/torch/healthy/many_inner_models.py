"""A model and an optimizer for each of many tasks, made by one function, beside an outer model."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
outer = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.Adam(outer.parameters())


def adapted(steps=4):
    inner = copy.deepcopy(outer)
    head = nn.Sequential(nn.Linear(1, 2), nn.Linear(2, 1))
    inner_opt = torch.optim.SGD([*inner.parameters(), *head.parameters()], lr=0.05)
    for _ in range(steps):
        loss = head(inner(torch.randn(8, 3))).square().mean()
        inner_opt.zero_grad()
        loss.backward()
        inner_opt.step()
    return inner, head


for task in range(80):
    inner, head = adapted()
    loss = head(inner(torch.randn(8, 3))).square().mean()
    inner.zero_grad()
    loss.backward()
    for mine, theirs in zip(outer.parameters(), inner.parameters()):
        mine.grad = theirs.grad.clone()
    opt.step()
    if task % 20 == 19:
        print(f"{loss.item():.4f}")
