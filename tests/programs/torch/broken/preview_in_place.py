"""A picture of the parameter is made in place, on the memory that `detach` shares with it."""

import torch
from torch import nn


class Fit:
    def __init__(self):
        self.image = nn.Parameter(torch.rand(3, 4, 4))
        self.opt = torch.optim.Adam([self.image], lr=0.01)

    def show(self):
        picture = self.image.detach().mul_(0.25).add_(0.5)  # why: TW123
        return (picture.clamp(0, 1) * 255).byte()

    def run(self):
        for _ in range(6):
            loss = (self.image - 0.3).square().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            self.show()


Fit().run()
