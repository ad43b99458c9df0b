"""A result is clamped in place after exp saved it."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 2)
out = net(torch.randn(8, 4)).exp()
total = out.sum()
out.clamp_(max=2.0)  # why: TW123
(total + out.sum()).backward()
