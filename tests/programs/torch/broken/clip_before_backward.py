"""The loss function of the model clips the gradients of the step before."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def loss(self, x):
        found = self.net(x).pow(2).mean()
        torch.nn.utils.clip_grad_norm_(self.parameters(), 0.01)  # why: TW121
        return found


model = Model()
opt = torch.optim.Adam(model.parameters(), lr=0.01)
for step in range(6):
    loss = model.loss(torch.randn(8, 4))
    opt.zero_grad()
    loss.backward()
    opt.step()
