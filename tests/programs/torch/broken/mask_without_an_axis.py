"""A mask for each sample meets values that have an axis more: it only fits while the batch has one sample."""

import torch

values = {size: torch.ones(size, 24, 7) for size in (1, 2)}
for size, value in values.items():
    real = torch.ones(size, dtype=torch.bool)
    print((real[:, None].float() * value).mean())  # why: TW701
