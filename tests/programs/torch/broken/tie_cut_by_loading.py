"""A checkpoint without the tied head is assigned: the head keeps the parameter that was shared, and its random values."""

import torch
from torch import nn


class Head(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    def forward(self, x):
        return x @ self.weight.t()


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 6)
        self.mix = nn.Linear(6, 6)
        self.head = Head(self.embedding.weight)

    def forward(self, tokens):
        return self.head(torch.tanh(self.mix(self.embedding(tokens))))


def restore(state):
    model = Model()
    model.load_state_dict(state, strict=False, assign=True)  # why: TW117
    return model


torch.manual_seed(0)
saved = {name: each.clone() for name, each in Model().state_dict().items() if name != "head.weight"}
net = restore(saved)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    tokens = torch.randint(0, 12, (16,))
    optimizer.zero_grad()
    nn.functional.cross_entropy(net(tokens), tokens).backward()
    optimizer.step()
print((net.embedding.weight == net.head.weight).all())
