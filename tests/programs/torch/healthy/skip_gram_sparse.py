"""Skip-gram with negative sampling: sparse embeddings in SparseAdam, a dense bias in Adam."""

import collections
import random

import torch
import torch.nn.functional as F
from torch import nn

text = "the quick brown fox jumps over the lazy dog while the cat sleeps near the quick dog".split()
vocab = sorted(set(text))
index = {word: i for i, word in enumerate(vocab)}
ids = [index[word] for word in text]
counts = collections.Counter(ids)
freq = torch.tensor([counts[i] for i in range(len(vocab))], dtype=torch.float) ** 0.75


class SkipGram(nn.Module):
    def __init__(self, size, dim=6):
        super().__init__()
        self.u = nn.Embedding(size, dim, sparse=True)
        self.v = nn.Embedding(size, dim, sparse=True)
        self.bias = nn.Parameter(torch.zeros(1))
        bound = 1.0 / dim
        nn.init.uniform_(self.u.weight.data, -bound, bound)
        nn.init.constant_(self.v.weight.data, 0)

    def forward(self, center, context, negatives):
        u, v, n = self.u(center), self.v(context), self.v(negatives)
        positive = F.logsigmoid(torch.clamp((u * v).sum(1) + self.bias, -10, 10))
        negative = F.logsigmoid(-torch.clamp(torch.bmm(n, u.unsqueeze(2)).squeeze(2), -10, 10)).sum(1)
        return -(positive + negative).mean()


def pairs(window=2):
    for at, center in enumerate(ids):
        for other in range(max(0, at - window), min(len(ids), at + window + 1)):
            if other != at:
                yield center, ids[other]


random.seed(0)
model = SkipGram(len(vocab))
sparse = torch.optim.SparseAdam([model.u.weight, model.v.weight], lr=0.01)
dense = torch.optim.Adam([model.bias], lr=0.01)
data = list(pairs())
for step in range(6):
    batch = random.sample(data, 16)
    center, context = (torch.tensor(column) for column in zip(*batch))
    negatives = torch.multinomial(freq, 16 * 3, replacement=True).view(16, 3)
    loss = model(center, context, negatives)
    for optimizer in (sparse, dense):
        optimizer.zero_grad()
    loss.backward()
    for optimizer in (sparse, dense):
        optimizer.step()
    print(f"{loss.item():.4f}")
vectors = F.normalize(model.u.weight.detach())
print((vectors @ vectors.T).topk(3).indices.shape)
