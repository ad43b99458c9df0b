"""A smaller hidden layer takes the place of the first one, and training goes on with the optimizer of before."""

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


def shrink(model, keep):
    rows = model.inner.weight.abs().sum(1).topk(keep).indices
    inner, outer = nn.Linear(6, keep), nn.Linear(keep, 1)
    with torch.no_grad():
        inner.weight.copy_(model.inner.weight[rows])
        outer.weight.copy_(model.outer.weight[:, rows])
    model.inner = inner  # why: TW603
    model.outer = outer


def train(model, optimizer, steps):
    for _ in range(steps):
        x = torch.randn(32, 6)
        loss = (model(x) - x[:, :1].sin()).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def main():
    model = Regressor(24)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    print(train(model, optimizer, 40))
    shrink(model, 8)
    print(train(model, optimizer, 40))


main()
