"""A table is widened, with the old rows copied into it, after the optimizer got its parameters."""

import torch
from torch import nn


class Speaker(nn.Module):
    def __init__(self, words):
        super().__init__()
        self.table = nn.Embedding(words, 8)
        self.top = nn.Linear(8, 4)

    def widen(self, words):
        old = self.table
        self.table = nn.Embedding(words, 8)  # why: TW117
        with torch.no_grad():
            self.table.weight[: old.num_embeddings] = old.weight

    def forward(self, ids):
        return self.top(self.table(ids))


net = Speaker(10)
opt = torch.optim.AdamW(net.parameters(), lr=1e-2)
net.widen(14)
for _ in range(12):
    ids = torch.randint(0, 14, (16,))
    opt.zero_grad()
    nn.functional.cross_entropy(net(ids), ids % 4).backward()
    opt.step()
