"""One loss, backward twice."""

import torch
from torch import nn
import torch.nn.functional as F

net = nn.Linear(4, 1)
loss = net(torch.randn(8, 4)).pow(2).mean()
loss.backward()
loss.backward()  # why: TW120
