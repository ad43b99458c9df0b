"""A recommender: bags of ids, two towers with in-batch negatives, a factorization machine, rows that nobody looks up."""

import torch
import torch.nn.functional as F
from torch import nn


class Tower(nn.Module):
    def __init__(self, ids, dim=8):
        super().__init__()
        self.bag = nn.EmbeddingBag(ids, dim, mode="mean", padding_idx=0)
        self.mlp = nn.Sequential(nn.Linear(dim, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, ids, offsets):
        return F.normalize(self.mlp(self.bag(ids, offsets)), dim=-1)


class FM(nn.Module):
    def __init__(self, fields, dim=4):
        super().__init__()
        self.offsets = torch.tensor((0, *fields)).cumsum(0)[:-1]
        self.linear, self.embedding = nn.Embedding(sum(fields), 1), nn.Embedding(sum(fields), dim)
        self.bias = nn.Parameter(torch.zeros((1,)))
        self.deep = nn.Sequential(nn.Linear(len(fields) * dim, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dropout(0.1), nn.Linear(8, 1))

    def forward(self, x):
        x = x + self.offsets
        e = self.embedding(x)
        cross = 0.5 * (e.sum(1).pow(2) - e.pow(2).sum(1)).sum(1)
        return self.bias + self.linear(x).sum((1, 2)) + cross + self.deep(e.flatten(1)).squeeze(1)


users, items = Tower(40), Tower(60)
logit_scale = nn.Parameter(torch.tensor(2.0))
opt = torch.optim.Adam([*users.parameters(), *items.parameters(), logit_scale], lr=1e-2)
for step in range(4):
    u, i = torch.randint(0, 40, (24,)), torch.randint(0, 60, (16,))
    a, b = users(u, torch.arange(0, 24, 3)), items(i, torch.arange(0, 16, 2))
    logits = logit_scale.exp() * a @ b.t()
    labels = torch.arange(8)
    loss = (F.cross_entropy(logits, labels) + F.cross_entropy(logits.t(), labels)) / 2
    opt.zero_grad()
    loss.backward()
    opt.step()
    with torch.no_grad():
        logit_scale.clamp_(0, 4.6)
    print(f"towers {loss.item():.4f}")

fields = (5, 7, 3)
model = FM(fields)
opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
for step in range(4):
    x = torch.stack([torch.randint(0, n, (16,)) for n in fields], 1)
    y = (x.sum(1) % 2).float()
    loss = F.binary_cross_entropy_with_logits(model(x), y) + 1e-4 * sum(p.pow(2).sum() for p in model.embedding.parameters())
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"fm {loss.item():.4f}")
