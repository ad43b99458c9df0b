"""Trains an encoder and a head; the features are detached before the head sees them."""

# requires: torch
import torch
from torch import nn

encoder, head = nn.Linear(8, 16), nn.Linear(16, 1)
optimizer = torch.optim.Adam([*encoder.parameters(), *head.parameters()], lr=1e-2)
batch, wanted = torch.randn(32, 8), torch.randn(32, 1)


def features(x):
    hidden = torch.tanh(encoder(x))
    return hidden.detach()  # why: TW104


for step in range(5):
    loss = nn.functional.mse_loss(head(features(batch)), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
