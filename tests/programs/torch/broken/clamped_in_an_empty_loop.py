"""The weights of a critic are clamped in a loop over a generator that a group of its optimizer has used up."""

import torch
from torch import nn


def train(steps):
    critic = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
    weights = (each for name, each in critic.named_parameters() if name.endswith("weight"))  # why: TW121
    biases = [each for name, each in critic.named_parameters() if name.endswith("bias")]
    optimizer = torch.optim.RMSprop([{"params": biases}, {"params": weights, "lr": 1e-3}], lr=1e-2)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = critic(torch.randn(8, 4)).mean() - critic(torch.randn(8, 4)).mean()
        loss.backward()
        optimizer.step()
        for each in weights:
            each.data.clamp_(-0.1, 0.1)


torch.manual_seed(0)
train(4)
