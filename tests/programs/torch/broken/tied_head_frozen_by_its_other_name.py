"""Everything but the head is frozen by name, and the head's weight is listed under the name of the embedding."""

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.head = nn.Embedding(9, 4), nn.Linear(4, 9, bias=False)
        self.head.weight = self.embed.weight

    def forward(self, ids):
        return self.head(self.embed(ids))


def freeze(model, but):
    for name, parameter in model.named_parameters():
        if not name.startswith(but):
            parameter.requires_grad = False  # why: TW116


model = Model()
freeze(model, "head")
optimizer = torch.optim.SGD(model.head.parameters(), lr=0.1)
ids = torch.randint(0, 9, (6,))
nn.functional.cross_entropy(model(ids), ids).backward()
