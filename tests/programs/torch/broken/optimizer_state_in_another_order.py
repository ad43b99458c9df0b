"""The state of an optimizer is loaded for a model that has its layers in another order."""

import torch
from torch import nn


class Before(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(2, 3, bias=False), nn.Linear(3, 4, bias=False)

    def forward(self, x):
        return self.second(torch.tanh(self.first(x)))


class After(Before):
    def __init__(self):
        nn.Module.__init__(self)
        self.second, self.first = nn.Linear(3, 4, bias=False), nn.Linear(2, 3, bias=False)


def train(model, state=None):
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    if state is not None:
        opt.load_state_dict(state)
    for _ in range(2):
        loss = model(torch.ones(4, 2)).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()  # why: TW701
    return model.state_dict(), opt.state_dict()


weights, state = train(Before())
again = After()
again.load_state_dict(weights)
train(again, state)
