"""The inner step of a meta-learner asks for gradients of all parameters, those of the frozen part too."""

# requires: torch
import torch
from torch import nn


def adapted(model, loss, rate=0.1):
    named = dict(model.named_parameters())
    found = torch.autograd.grad(loss, list(named.values()), create_graph=True)
    return {name: each - rate * change for (name, each), change in zip(named.items(), found)}


torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
for each in model[0].parameters():
    each.requires_grad_(False)  # why: TW116
adapted(model, model(torch.randn(6, 3)).square().mean())
