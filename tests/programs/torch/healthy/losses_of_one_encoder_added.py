"""Two losses that are computed from one encoding and added up."""

import torch
from torch import nn

encoder, decoder, critic = nn.Linear(6, 4), nn.Linear(4, 6), nn.Linear(4, 1)
optimizer = torch.optim.SGD([*encoder.parameters(), *decoder.parameters(), *critic.parameters()], lr=0.1)


def losses(x):
    code = torch.tanh(encoder(x))
    return nn.functional.mse_loss(decoder(code), x), nn.functional.softplus(critic(code.square())).mean()


for _ in range(3):
    first, second = losses(torch.randn(16, 6))
    optimizer.zero_grad()
    (first + second).backward()
    optimizer.step()
