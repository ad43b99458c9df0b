"""Triplet loss with batch-hard mining: some batches have no violating triplet, and their loss is zero."""

import torch
import torch.nn.functional as F
from torch import nn


def batch_hard(embeddings, labels, margin):
    distance = torch.cdist(embeddings, embeddings)
    same = labels[:, None] == labels[None, :]
    positive = (distance * same).max(dim=1).values
    negative = distance.masked_fill(same, float("inf")).min(dim=1).values
    valid = torch.isfinite(negative)
    if not valid.any():
        return embeddings.sum() * 0.0
    return F.relu(positive[valid] - negative[valid] + margin).mean()


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(5, 16), nn.PReLU(), nn.Linear(16, 4))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


torch.manual_seed(0)
encoder = Encoder()
centers = torch.randn(4, 5) * 4
optimizer = torch.optim.Adam(encoder.parameters(), lr=5e-3)
for step in range(12):
    labels = torch.zeros(6, dtype=torch.long) if step == 5 else torch.randint(0, 4, (12,))
    x = centers[labels] + 0.1 * torch.randn(len(labels), 5)
    loss = batch_hard(encoder(x), labels, margin=0.2 if step % 3 else 0.0)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
with torch.no_grad():
    gallery = encoder(centers)
    print(gallery.shape)
