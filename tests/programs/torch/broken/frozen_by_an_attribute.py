"""A whole module is given `requires_grad`, which is an attribute of tensors."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.head = nn.Linear(4, 8), nn.Linear(8, 2)

    def forward(self, x):
        return self.head(self.encoder(x).relu())


net = Tagger()
net.encoder.requires_grad = False  # why: TW612
opt = torch.optim.Adam(net.parameters())
for step in range(5):
    opt.zero_grad()
    net(torch.randn(8, 4)).pow(2).mean().backward()
    opt.step()
