"""The gradients of all steps add up."""

import torch
from torch import nn

torch.manual_seed(1)
net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
trainer = torch.optim.Adam(net.parameters())


def learn(batch):
    loss = net(batch).pow(2).mean()
    loss.backward()
    trainer.step()  # why: TW121


for _ in range(6):
    learn(torch.randn(8, 4))
