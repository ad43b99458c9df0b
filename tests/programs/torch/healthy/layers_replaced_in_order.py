"""Layers are replaced while training goes on, and each time something is there that trains the new ones."""

import torch
from torch import nn

torch.manual_seed(0)


class Regressor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inner = nn.Linear(6, width)
        self.outer = nn.Linear(width, 1)

    def forward(self, x):
        return self.outer(torch.tanh(self.inner(x)))


def train(model, optimizer, steps, by_hand=()):
    for _ in range(steps):
        x = torch.randn(32, 6)
        loss = (model(x) - x[:, :1].sin()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        for parameter in by_hand:
            parameter.data -= 0.01 * parameter.grad
            parameter.grad = None
    return loss.item()


def a_new_optimizer():
    model = Regressor(24)
    train(model, torch.optim.Adam(model.parameters(), lr=1e-2), 20)
    model.inner, model.outer = nn.Linear(6, 8), nn.Linear(8, 1)
    return train(model, torch.optim.Adam(model.parameters(), lr=1e-2), 20)


def a_further_group():
    model = Regressor(24)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    train(model, optimizer, 20)
    model.outer = nn.Linear(24, 1)
    optimizer.add_param_group({"params": model.outer.parameters()})
    return train(model, optimizer, 20)


def by_hand():
    model = Regressor(24)
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
    train(model, optimizer, 20)
    model.outer = nn.Linear(24, 1)
    return train(model, optimizer, 20, [*model.outer.parameters()])


def one_after_the_other():
    for _ in range(3):
        model = Regressor(8)
        train(model, torch.optim.SGD(model.parameters(), lr=1e-2), 9)
        judge = Regressor(8)
        x = torch.randn(4, 6, requires_grad=True)
        judge(model(x).expand(-1, 6)).sum().backward()
        train(model, torch.optim.SGD(model.parameters(), lr=1e-2), 9)


print(a_new_optimizer(), a_further_group(), by_hand())
one_after_the_other()
