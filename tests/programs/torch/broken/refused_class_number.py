"""A class that is one too large for `one_hot`."""

import torch
import torch.nn.functional as F

labels = torch.tensor([0, 2, 5])
F.one_hot(labels, num_classes=5)  # why: TW701
