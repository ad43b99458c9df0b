"""A sample without a match in step 12 gives the logarithm of 0, which a mask does not undo; the weights are lost."""

import torch
import torch.nn.functional as F
from torch import nn


class Score(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 3)

    def forward(self, x, valid):
        chance = torch.sigmoid(self.net(x)) * valid
        return -(torch.log(chance) * valid).mean()  # why: TW611


score = Score()
opt = torch.optim.SGD(score.parameters(), lr=0.1)
for step in range(20):
    valid = torch.ones(8, 3)
    if step == 12:
        valid[2] = 0
    opt.zero_grad()
    loss = score(torch.randn(8, 4), valid)
    loss.backward()
    opt.step()
