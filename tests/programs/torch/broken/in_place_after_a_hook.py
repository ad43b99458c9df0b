"""An activation in place changes the output of a layer with a full backward hook."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 4, 3)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        return self.act(self.conv(x))  # why: TW123


block = Block()
block.conv.register_full_backward_hook(lambda module, given, got: print(got[0].shape))
block(torch.randn(2, 3, 8, 8)).sum().backward()
