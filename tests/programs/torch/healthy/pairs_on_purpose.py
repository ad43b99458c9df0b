"""Losses that compare all pairs because they should, and those that compare each sample with its own."""

# requires: torch
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
inputs = torch.randn(64, 3)
labels = inputs @ torch.tensor([1.0, -2.0, 0.5]) + 0.3
column = labels[:, None]


def net():
    return nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))


def train(loss_of, *modules):
    optimizer = torch.optim.SGD([each for module in modules for each in module.parameters()], lr=0.01)
    for rows in torch.arange(64).split(16):
        loss = loss_of(rows, *modules)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def alike(rows, model):
    return F.mse_loss(model(inputs[rows]), column[rows]) + (model(inputs[rows])[:, 0] - labels[rows]).abs().mean()


def pairwise(rows, model):
    scores = model(inputs[rows]).squeeze(1)
    differences = scores.unsqueeze(1) - scores
    wanted = labels[rows][:, None] - labels[rows]
    return (differences - wanted).pow(2).mean()


def against_labels(rows, model):
    own = labels[rows].view(-1, 1)
    return (own - model(inputs[rows]).flatten()).abs().mean()


def as_column(x):
    return x.unsqueeze(-1)


def by_a_helper(rows, model):
    scores = model(inputs[rows]).flatten()
    rows_against = as_column(labels[rows]) - scores
    return F.softplus(rows_against).mean()


def all_differences(a, b):
    return a - b


def by_another_helper(rows, model):
    scores = model(inputs[rows])
    return all_differences(scores[:, 0].unsqueeze(1), labels[rows]).square().mean()


def with_itself(rows, model):
    scores = model(inputs[rows])
    return F.relu(1 - (scores - scores.squeeze(1)).abs()).mean()


def distances(rows, model):
    z = torch.cat([model(inputs[rows]), inputs[rows]], 1)
    squares = z.pow(2).sum(1, keepdim=True)
    far = squares + z.detach().pow(2).sum(1) - 2 * z @ z.detach().T
    return far.clamp(min=0).mean()


class Histogram(nn.Module):
    """The bins are as many as the samples, by chance."""

    def __init__(self):
        super().__init__()
        self.register_buffer("bins", torch.tensor([0.2 * each for each in range(16)]))
        self.line = nn.Linear(3, 1)

    def forward(self, x):
        return torch.exp(-((self.line(x) - self.bins) ** 2))


def soft_histogram(rows, model):
    found = model(inputs[rows]).mean(0)
    return (found - 0.1).abs().sum()


def centered(rows, model):
    found = model(inputs[rows])
    found = found / found.norm(dim=0, keepdim=True)
    kernel = torch.exp(-(found.flatten() - found).square())
    return kernel.mean() - found.mean()


class Centers(nn.Module):
    """As many as the samples, too."""

    def __init__(self):
        super().__init__()
        self.centers = nn.Parameter(torch.linspace(-2, 2, 16))
        self.line = nn.Linear(3, 1)

    def forward(self, x):
        return (self.line(x) - self.centers).square()


def to_centers(rows, model):
    return model(inputs[rows]).sqrt().mean() - 0.1 * model.centers.std()


def on_a_grid(rows, model):
    grid = torch.linspace(-2, 2, 16)
    return torch.exp(-((model(inputs[rows]) - grid) ** 2)).mean()


def attention(rows, query, key):
    scores = query(inputs[rows]) * key(inputs[rows]).squeeze(1).unsqueeze(0)
    mask = rows < rows[:, None]
    weights = scores.masked_fill(mask, -1e9).softmax(-1)
    return (weights @ labels[rows] - labels[rows]).pow(2).mean()


def scored(rows, query, key):
    logits = query(inputs[rows]) * key(inputs[rows]).squeeze(1)
    return F.cross_entropy(logits, torch.arange(16))


def quantiles(rows, model):
    found = torch.cat([model(inputs[rows]) + each for each in (0.1, 0.5, 0.9)], 1)
    with torch.no_grad():
        target = torch.cat([labels[rows][:, None]] * 3, 1)
    error = target.unsqueeze(1) - found.unsqueeze(2)
    tau = torch.tensor([0.1, 0.5, 0.9])[:, None]
    return ((tau - (error.detach() < 0).float()).abs() * F.smooth_l1_loss(error, error * 0, reduction="none")).mean()


def last_of_one(rows, model):
    return (model(inputs[:1]) - labels[:1]).abs().sum() + model(inputs[rows]).mean()


def train_twice(first, second):
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], lr=0.01)
    for rows in torch.arange(64).split(16):
        wanted = labels[rows].unsqueeze(1)
        optimizer.zero_grad()
        F.mse_loss(first(inputs[rows]), wanted).backward()
        F.softplus(second(inputs[rows]).squeeze(1) - wanted).mean().backward()
        optimizer.step()


train(alike, net())
train(pairwise, net())
train(against_labels, net())
train(by_a_helper, net())
train(by_another_helper, net())
train(with_itself, net())
train(distances, net())
train(soft_histogram, Histogram())
train(centered, net())
train(to_centers, Centers())
train(on_a_grid, net())
train(attention, net(), net())
train(scored, net(), net())
train(quantiles, net())
train(last_of_one, net())
train_twice(net(), net())
