"""Tied weights that a load keeps, that are tied again after it, and that a program takes apart on purpose."""

# requires: torch>=2.1
import copy

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 6)
        self.head = nn.Linear(6, 12, bias=False)
        self.tie()

    def tie(self):
        self.head.weight = self.embedding.weight

    def forward(self, tokens):
        return self.head(self.embedding(tokens))


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(4):
        tokens = torch.randint(0, 12, (16,))
        optimizer.zero_grad()
        nn.functional.cross_entropy(net(tokens), tokens).backward()
        optimizer.step()
    return net


torch.manual_seed(0)
first = train(Model())
second = Model()
second.load_state_dict(first.state_dict())
train(second)
third = Model()
third.load_state_dict(copy.deepcopy(first.state_dict()), assign=True)  # the copies share their memory, too
train(third)
fourth = Model()
part = {name: each.clone() for name, each in first.state_dict().items() if name != "head.weight"}
fourth.load_state_dict(part, strict=False, assign=True)
fourth.tie()
train(fourth)
with torch.device("meta"):
    fifth = Model()
fifth.to_empty(device="cpu")
fifth.tie()
nn.init.normal_(fifth.embedding.weight)
train(fifth)
sixth = Model()
sixth.head.weight = nn.Parameter(sixth.embedding.weight.detach().clone())
train(sixth)
print(len(list(fourth.parameters())), len(list(sixth.parameters())))
