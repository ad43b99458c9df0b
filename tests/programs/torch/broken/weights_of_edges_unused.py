"""Of a sampled graph only the positions are used: the values at them, which have the gradient, end nowhere."""

import torch
from torch import nn

torch.manual_seed(0)
scores, layer = nn.Parameter(torch.randn(4, 4)), nn.Linear(3, 3)
optimizer = torch.optim.SGD([scores, *layer.parameters()], lr=0.1)


def sparse(dense):
    rows, columns = torch.nonzero(dense > 0.5, as_tuple=True)  # why: TW106
    return rows, columns, dense[rows, columns]


for _ in range(3):
    x = torch.randn(4, 3)
    rows, columns, weights = sparse(torch.sigmoid(scores))
    loss = torch.zeros(4, 3).index_add(0, rows, layer(x)[columns]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
