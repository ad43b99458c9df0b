import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(4, 4)
h = net(torch.randn(8, 4)); e = h.exp(); v = e.view(-1); v[0] = 1.0  # why: TW123
e.sum().backward()
