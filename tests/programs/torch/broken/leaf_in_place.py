import torch
from torch import nn
import torch.nn.functional as F
w = torch.zeros(3, requires_grad=True)
w += 1  # why: TW123
w.sum().backward()
