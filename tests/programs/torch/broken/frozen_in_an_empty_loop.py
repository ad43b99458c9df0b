"""The critics are frozen in a loop over what their optimizer has read to its end: `chain` can be read only once."""

from itertools import chain

import torch
from torch import nn

torch.manual_seed(0)


class Learner:
    def __init__(self):
        self.policy = nn.Linear(4, 2)
        self.first, self.second = nn.Linear(6, 1), nn.Linear(6, 1)
        self.params = chain(self.first.parameters(), self.second.parameters())  # why: TW121
        self.critics = self.optimizer(self.params)
        self.actor = torch.optim.Adam(self.policy.parameters(), lr=1e-2)

    def optimizer(self, given):
        return torch.optim.Adam(given, lr=1e-2)

    def freeze(self, off):
        for parameter in self.params:
            parameter.requires_grad = not off

    def value(self, state, action):
        both = torch.cat([state, action], 1)
        return torch.min(self.first(both), self.second(both))

    def learn(self, state, action, reward):
        loss = (self.value(state, action) - reward).pow(2).mean()
        self.critics.zero_grad()
        loss.backward()
        self.critics.step()
        self.freeze(True)
        loss = -self.value(state, self.policy(state)).mean()
        self.actor.zero_grad()
        loss.backward()
        self.actor.step()
        self.freeze(False)


learner = Learner()
for _ in range(4):
    learner.learn(torch.randn(8, 4), torch.randn(8, 2), torch.randn(8, 1))
