"""`squeeze()` takes every axis of size 1: in the last batch, which has one sample, also that of the samples."""

import torch
from torch import nn

encoder, head = nn.Linear(6, 8), nn.Linear(8, 4)
optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], lr=0.1)


def halves(style):
    scale, shift = head(style).chunk(2, dim=1)  # why: TW701
    return scale + shift


for x in torch.randn(33, 1, 6).split(8):
    style = encoder(x).squeeze()
    loss = halves(style).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
