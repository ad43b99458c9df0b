"""After a while a model of another kind takes the place of the first, and the optimizer keeps what it was given."""

import torch
from torch import nn

torch.manual_seed(4)


def build(wide):
    if wide:
        return nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU(), nn.Linear(24, 1))  # why: TW603
    return nn.Linear(5, 1)


def fit(x, y):
    model = build(wide=False)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=0.01)
    for epoch in range(60):
        if epoch == 20:
            model = build(wide=True)
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


fit(torch.randn(40, 5), torch.randn(40, 1))
