"""A network is frozen after its step, and set free only once the next gradients are computed."""

import torch
from torch import nn

torch.manual_seed(0)


class Trainer:
    def __init__(self):
        self.encoder, self.head = nn.Linear(3, 3), nn.Linear(3, 1)
        self.slow = torch.optim.SGD(self.encoder.parameters(), 0.1)
        self.fast = torch.optim.SGD(self.head.parameters(), 0.1)

    def toggle(self, on):
        for parameter in self.encoder.parameters():
            parameter.requires_grad = on  # why: TW116

    def step(self, x):
        loss = self.head(torch.tanh(self.encoder(x))).pow(2).mean()
        self.slow.zero_grad()
        self.fast.zero_grad()
        loss.backward()
        self.fast.step()
        self.toggle(True)
        self.slow.step()
        self.toggle(False)


trainer = Trainer()
for _ in range(6):
    trainer.step(torch.randn(8, 3))
