"""A hook should limit the gradient of codes that were computed without a graph."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, decoder = nn.Linear(4, 6), nn.Linear(6, 4)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters()], lr=0.1)


@torch.no_grad()
def encoded(x):
    return encoder(x).tanh()  # why: TW103


codes = encoded(torch.randn(3, 4))
codes.register_hook(lambda gradient: gradient.clamp(-1, 1))
decoder(codes).square().mean().backward()
