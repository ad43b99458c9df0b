"""`view` of a tensor whose axes were swapped before."""

import torch

images = torch.randn(2, 3, 4, 4)
rows = images.permute(0, 2, 3, 1).view(2, -1)  # why: TW701
