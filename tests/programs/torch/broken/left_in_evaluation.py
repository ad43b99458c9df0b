"""Each epoch ends with a test, and the model stays in evaluation mode after the first one."""

import torch
from torch import nn


class Runner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.Dropout(0.2), nn.Linear(8, 1))
        self.opt = torch.optim.Adam(self.net.parameters())

    def test(self):
        self.net.eval()  # why: TW613
        with torch.no_grad():
            return self.net(torch.randn(8, 4)).mean()

    def fit(self):
        self.net.train()
        for epoch in range(4):
            for step in range(3):
                self.opt.zero_grad()
                self.net(torch.randn(8, 4)).pow(2).mean().backward()
                self.opt.step()
            self.test()


Runner().fit()
