"""Each turn of a loop over heads gives the losses other values: only the last head is trained."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
body, heads = nn.Linear(8, 8), nn.ModuleList(nn.Linear(8, 2) for _ in range(3))
optimizer = torch.optim.Adam([*body.parameters(), *heads.parameters()])


def terms(scores, labels):
    term = F.cross_entropy(scores, labels)
    penalty = scores.pow(2).mean()
    return term + 0.01 * penalty, term


def total(hidden, labels):
    loss = part = 0
    for head, each in zip(heads, labels):
        loss, part = terms(head(hidden), each)  # why: TW115
        print(loss.item())
    return loss, part


for _ in range(5):
    x = torch.randn(16, 8)
    loss, part = total(torch.relu(body(x)), [(x[:, at] > 0).long() for at in range(3)])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
