"""A model that is made without memory gets some by `to_empty`, one for each name of the tied weight."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 6)
        self.head = nn.Linear(6, 12, bias=False)
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


torch.manual_seed(0)
with torch.device("meta"):
    net = Model()
net.to_empty(device="cpu")  # why: TW117
for each in net.parameters():
    nn.init.normal_(each, std=0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    tokens = torch.randint(0, 12, (16,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(tokens), tokens).backward()
    optimizer.step()
print(len(list(net.parameters())))
