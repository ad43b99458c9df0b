"""LBFGS with a closure that computes gradients: by `backward`, by `autograd.grad`, and by a formula."""

import torch
from torch import nn

torch.manual_seed(0)
x, y = torch.randn(20, 3), torch.randn(20, 1)


def by_backward():
    net = nn.Linear(3, 1)
    opt = torch.optim.LBFGS(net.parameters(), line_search_fn="strong_wolfe")

    def closure():
        opt.zero_grad()
        loss = (net(x) - y).square().mean()
        loss.backward()
        return loss

    return [round(opt.step(closure).item(), 4) for _ in range(4)]


def by_formula():
    weight = nn.Parameter(torch.zeros(3, 1))
    opt = torch.optim.LBFGS([weight])

    @torch.no_grad()
    def closure():
        rest = x @ weight - y
        weight.grad = 2 * x.T @ rest / rest.numel()
        return rest.square().mean()

    return [round(opt.step(closure).item(), 4) for _ in range(3)]


def by_grad():
    weight = nn.Parameter(torch.zeros(3, 1))
    opt = torch.optim.LBFGS([weight])

    def closure():
        loss = (x @ weight - y).square().mean()
        (weight.grad,) = torch.autograd.grad(loss, [weight])
        return loss

    return [round(opt.step(closure).item(), 4) for _ in range(3)]


def first_order():
    net = nn.Linear(3, 1)
    opt = torch.optim.Adam(net.parameters(), lr=0.1)
    told = []
    for _ in range(4):
        opt.zero_grad()
        loss = (net(x) - y).square().mean()
        loss.backward()
        told.append(round(opt.step(lambda: loss).item(), 4))
    return told


for each in (by_backward, by_formula, by_grad, first_order):
    print(each.__name__, each())
