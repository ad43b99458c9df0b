"""Trains an encoder and a classifier on noisy waves, in PyTorch. It runs to its end, and the loss even falls.

Yet half of the model never learns: the features are kept for a chart, and what is kept was taken out of the graph. Run
it under tensorwhy: `tensorwhy run examples/torch_frozen_by_accident.py`.
"""

import math

import torch
from torch import nn

STEPS, BATCH, LENGTH, CLASSES = 30, 32, 64, 3

torch.manual_seed(7)
chart = []


def batches(count):
    """Sines of three frequencies, with random phase and noise, and their class."""
    time = torch.linspace(0.0, 2.0 * math.pi, LENGTH)
    for _ in range(count):
        label = torch.randint(0, CLASSES, (BATCH,))
        phase = torch.rand(BATCH, 1) * 2.0 * math.pi
        wave = torch.sin((1 + 2 * label[:, None]) * time + phase) + 0.3 * torch.randn(BATCH, LENGTH)
        yield wave[:, None], label


class Waves(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Sequential(
            nn.Conv1d(1, 8, 7, stride=2), nn.ReLU(), nn.Conv1d(8, 16, 5, stride=2), nn.ReLU(), nn.AdaptiveAvgPool1d(1)
        )
        self.classifier = nn.Linear(16, CLASSES)

    def features(self, waves):
        found = self.encoder(waves).flatten(1).detach()
        chart.append(found.mean(0))
        return found

    def forward(self, waves):
        return self.classifier(self.features(waves))


model = Waves()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)

for step, (waves, labels) in enumerate(batches(STEPS)):
    loss = nn.functional.cross_entropy(model(waves), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 10 == 9:
        print(f"step {step + 1}: loss {loss.item():.3f}")
