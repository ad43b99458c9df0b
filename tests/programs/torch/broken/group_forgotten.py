"""The groups of an optimizer are collected, and the last one is not handed over."""

import torch
from torch import nn


class Tagger(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(20, 8)
        self.encoder = nn.GRU(8, 8, batch_first=True)
        self.classify = nn.Linear(8, 3)

    def forward(self, tokens):
        states, _ = self.encoder(self.embed(tokens))
        return self.classify(states)


def groups(model):
    found = []
    for part, rate in ((model.embed, 1e-3), (model.encoder, 1e-2)):
        found.append({"params": list(part.parameters()), "lr": rate})
    head = {"params": list(model.classify.parameters()), "lr": 1e-1}
    return found


torch.manual_seed(0)
tagger = Tagger()
optimizer = torch.optim.Adam(groups(tagger))  # why: TW116
tokens = torch.randint(0, 20, (16, 5))
for _ in range(6):
    loss = nn.functional.cross_entropy(tagger(tokens).flatten(0, 1), (tokens % 3).flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
