"""A frozen backbone is trained with its head, used in evaluation mode after that, and then gone."""

import torch
from torch import nn

torch.manual_seed(0)


def fit():
    backbone = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU())
    for parameter in backbone.parameters():
        parameter.requires_grad = False  # why: TW607
    model = nn.Sequential(backbone, nn.Linear(4, 1)).train()
    optimizer = torch.optim.SGD(model[1].parameters(), lr=0.1)
    for _ in range(5):
        optimizer.zero_grad()
        model(torch.randn(16, 3)).square().mean().backward()
        optimizer.step()
    model.eval()


fit()
