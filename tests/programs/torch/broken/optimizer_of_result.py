"""An optimizer that is given a moved tensor."""

import torch
from torch import nn
import torch.nn.functional as F

w = torch.randn(4, requires_grad=True).double()  # why: TW112
opt = torch.optim.SGD([w], lr=0.1)
