"""An inner step on a copy of the model: no gradient leads back to the model that the copy was made of."""

import copy

import torch
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
outer = torch.optim.Adam(model.parameters(), lr=1e-2)


def adapted(model, features, labels):
    fast = copy.deepcopy(model)  # why: TW104
    loss = nn.functional.mse_loss(fast(features), labels)
    grads = torch.autograd.grad(loss, list(fast.parameters()), create_graph=True)
    for parameter, grad in zip(fast.parameters(), grads):
        parameter.data = parameter.data - 0.1 * grad
    return fast


for _ in range(5):
    features = torch.randn(16, 3)
    labels = features.sum(1, keepdim=True)
    outer.zero_grad()
    meta_loss = nn.functional.mse_loss(adapted(model, features, labels)(features), labels)
    meta_loss.backward()
    outer.step()
