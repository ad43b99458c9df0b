"""Classes that are counted from 1, in a helper."""

import torch
from torch import nn


def score(net, inputs, answers):
    return nn.functional.cross_entropy(net(inputs), answers)  # why: TW701


torch.manual_seed(1)
score(nn.Linear(4, 3), torch.randn(6, 4), torch.arange(6) % 3 + 1)
