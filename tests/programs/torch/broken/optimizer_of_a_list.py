"""The only layers of a model are in a plain list."""

import torch
from torch import nn


class Stack(nn.Module):
    def __init__(self, depth):
        super().__init__()
        self.blocks = [nn.Linear(4, 4) for _ in range(depth)]  # why: TW602

    def forward(self, x):
        for block in self.blocks:
            x = torch.tanh(block(x))
        return x


model = Stack(2)
chosen = filter(lambda p: p.requires_grad, model.parameters())
opt = torch.optim.SGD(chosen, lr=0.1)
