"""One model under two names: for what is saved, for evaluation, for the next phase, and for weights that are shared."""

import copy

import torch
from torch import nn

torch.manual_seed(0)


def train(model, optimizer=None, steps=4):
    optimizer = optimizer or torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(steps):
        loss = (model(torch.randn(16, 3)) - 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def wrapped_or_not(parallel=False):
    model = nn.Linear(3, 1)
    plain = model
    if parallel:
        model = nn.DataParallel(model)
    train(model, torch.optim.SGD(plain.parameters(), lr=0.1))
    return sorted(plain.state_dict())


def next_phase():
    pretrained = nn.Linear(3, 1)
    train(pretrained)
    tuned = pretrained
    train(tuned)
    return tuned(torch.ones(3)).shape


def evaluated():
    model = nn.Linear(3, 1)
    scored = model
    for _ in range(3):
        train(model)
        with torch.no_grad():
            print(f"{scored(torch.ones(1, 3)).item():.3f}")


class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.left = nn.Linear(3, 4)
        self.right = self.left
        self.last = nn.Linear(8, 1)

    def forward(self, x):
        return self.last(torch.cat([self.left(x), self.right(-x)], 1))


class Copied:
    def __init__(self):
        self.net = nn.Linear(3, 1)
        self.target = copy.deepcopy(self.net)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def step(self, x):
        with torch.no_grad():
            goal = self.target(x) + 1
        self.optimizer.zero_grad()
        (self.net(x) - goal).pow(2).mean().backward()
        self.optimizer.step()
        self.target.load_state_dict(self.net.state_dict())


print(wrapped_or_not(), next_phase())
evaluated()
train(Shared())
copied = Copied()
for _ in range(4):
    copied.step(torch.randn(4, 3))
