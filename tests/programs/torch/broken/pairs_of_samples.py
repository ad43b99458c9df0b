"""Losses that compare each sample with every other one: (16,) and (16, 1) are broadcast to (16, 16)."""

# requires: torch
import warnings

import torch
from torch import nn
from torch.nn import functional as F

warnings.filterwarnings("ignore", message="Using a target size")
torch.manual_seed(0)
inputs = torch.randn(64, 3)
labels = inputs @ torch.tensor([1.0, -2.0, 0.5]) + 0.3


def net():
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def train(loss_of, *modules):
    optimizer = torch.optim.SGD([each for module in modules for each in module.parameters()], lr=0.01)
    for rows in torch.arange(64).split(16):
        loss = loss_of(rows, *modules)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_hand(rows, model):
    return ((model(inputs[rows]) - labels[rows]) ** 2).mean()  # why: TW801


def ready_made(rows, model):
    target = labels[rows].unsqueeze(1)
    predicted = model(inputs[rows]).squeeze(1)
    return F.mse_loss(predicted, target)  # why: TW801


class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        self.distance = nn.SmoothL1Loss(reduction="none")

    def forward(self, predicted, target):
        return self.distance(predicted, target).sum() / len(target)  # why: TW801


def of_a_module(rows, model):
    return Criterion()(model(inputs[rows]), labels[rows])


def weighted(rows, model):
    error = (model(inputs[rows]) - labels[rows, None]).abs()
    weights = 1 / (1 + labels[rows].abs())
    return (weights * error).mean()  # why: TW801


class Column(nn.Module):
    def __init__(self):
        super().__init__()
        self.line = nn.Linear(3, 1)

    def forward(self, x):
        return self.line(x).squeeze(1).unsqueeze(1)


def bootstrapped(rows, critic, target):
    with torch.no_grad():
        returns = labels[rows] + 0.9 * target(inputs[rows] * 0.9).flatten()
    advantage = returns - critic(inputs[rows])  # why: TW801
    return advantage.pow(2).mul(0.5).mean()


def from_numbers(rows, critic):
    returns = torch.tensor([float(each) for each in labels[rows]])
    values = critic(torch.stack([inputs[row] for row in rows]))
    return F.huber_loss(values, returns)  # why: TW801


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean = nn.Linear(3, 1)

    def forward(self, x):
        mean = self.mean(x)
        action = torch.distributions.Normal(mean, 1.0).rsample()
        return action, -(((action - mean) ** 2) / 2).sum(-1)


def of_an_actor(rows, actor, critic):
    action, log_probability = actor(inputs[rows])
    value = critic(inputs[rows] + action)
    return (0.2 * log_probability - value).mean()  # why: TW801


train(by_hand, net())
train(ready_made, net())
train(of_a_module, net())
train(weighted, net())
train(bootstrapped, Column(), net().requires_grad_(False))
train(from_numbers, net())
train(of_an_actor, Policy(), net())
