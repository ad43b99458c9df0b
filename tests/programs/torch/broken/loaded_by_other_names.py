"""The weights of a wrapped model are loaded with `strict=False`, and only the head has the same name."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, prefix):
        super().__init__()
        self.add_module(prefix, nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 8)))
        self.head = nn.Linear(8, 1)
        self.prefix = prefix

    def forward(self, x):
        return self.head(getattr(self, self.prefix)(x))


class Wrapped(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.module = inner


def load(model, state):
    model.load_state_dict(state, strict=False)  # why: TW605
    return model.eval()


saved = Wrapped(Net("body")).state_dict()
print(load(Net("body"), saved)(torch.ones(1, 4)).shape)
