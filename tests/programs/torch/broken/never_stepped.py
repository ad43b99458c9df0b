"""Gradients are accumulated over some batches, and the condition for the step never holds."""

import torch
from torch import nn

EVERY = 4


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.1)
        self.seen = 0

    def batch(self, features):
        loss = self.net(features).square().mean() / EVERY
        loss.backward()
        if self.seen % EVERY == EVERY:
            self.opt.step()  # why: TW604
            self.opt.zero_grad()
        self.seen += 1
        return loss.item()


torch.manual_seed(0)
trainer = Trainer(nn.Linear(4, 2))
for _ in range(12):
    trainer.batch(torch.randn(8, 4))
