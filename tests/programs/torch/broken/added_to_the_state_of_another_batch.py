"""A state that is kept from batch to batch, and that the last batch is too small for."""

import torch
from torch import nn

embed, state = nn.Embedding(5, 4), torch.zeros(1, 4)
for size in (8, 8, 8, 8, 3):
    tokens = torch.randint(0, 5, (size,))
    state = (state + embed(tokens)).detach()  # why: TW701
