"""A plain dict of agents, each with an optimizer."""

import torch
from torch import nn
import torch.nn.functional as F

class Game:
    def __init__(self):
        self.agents = {name: nn.Linear(4, 2) for name in "ab"}
        self.opts = {name: torch.optim.SGD(net.parameters(), lr=0.1) for name, net in self.agents.items()}

    def play(self):
        for name, net in self.agents.items():
            loss = net(torch.randn(8, 4)).pow(2).mean()
            self.opts[name].zero_grad()
            loss.backward()
            self.opts[name].step()
            print(f"{name} {loss.item():.4f}")


game = Game()
for step in range(3):
    game.play()
