"""Two networks of one learner: the target is in the same module, and moves by averaging."""

import torch
from torch import nn
import torch.nn.functional as F

import copy


class Learner(nn.Module):
    def __init__(self):
        super().__init__()
        self.online = nn.Linear(6, 4)
        self.predictor = nn.Linear(4, 4)
        self.target = copy.deepcopy(self.online)

    def forward(self, x):
        with torch.no_grad():
            wanted = self.target(x)
        return F.mse_loss(self.predictor(self.online(x)), wanted)

    def follow(self):
        for old, new in zip(self.target.parameters(), self.online.parameters()):
            old.data = 0.99 * old.data + 0.01 * new.data


learner = Learner()
opt = torch.optim.Adam(learner.parameters())
for step in range(5):
    loss = learner(torch.randn(8, 6))
    opt.zero_grad()
    loss.backward()
    opt.step()
    learner.follow()
    print(f"{loss.item():.4f}")
