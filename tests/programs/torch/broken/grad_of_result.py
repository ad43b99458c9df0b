"""The gradient of a tensor that was scaled after requires_grad."""

import torch
from torch import nn
import torch.nn.functional as F

x = torch.randn(4, requires_grad=True) * 0.1  # why: TW126
loss = x.pow(2).sum()
loss.backward()
print(x.grad)
