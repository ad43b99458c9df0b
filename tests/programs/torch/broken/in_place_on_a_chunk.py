"""One of the parts that `chunk` gives is changed in place."""

import torch
from torch import nn

net = nn.Linear(4, 6)
scale, shift = net(torch.randn(5, 4)).chunk(2, dim=1)
scale += 1.0  # why: TW123
(scale * 2 + shift).pow(2).mean().backward()
