"""A term of each loss was meant to train something, and is computed from values that somebody took out of the graph."""

# requires: torch
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
inputs, wanted = torch.randn(32, 5), torch.rand(32, 5)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(5, 8), nn.LeakyReLU(), nn.Linear(8, 1))

    def forward(self, x):
        return self.layers(x).squeeze(1)

    @torch.no_grad()
    def score(self, x):
        return torch.sigmoid(self(x))  # why: TW103


def train(loss_of):
    maker, judge = nn.Sequential(nn.Linear(5, 8), nn.Tanh(), nn.Linear(8, 5)), Judge()
    first, second = torch.optim.Adam(maker.parameters()), torch.optim.Adam(judge.parameters())
    for rows in torch.arange(32).split(8):
        made = maker(inputs[rows])
        loss = loss_of(maker, judge, made, wanted[rows])
        first.zero_grad()
        loss.backward()
        first.step()
        told = F.softplus(judge(made.detach())).mean() + F.softplus(-judge(wanted[rows])).mean()
        second.zero_grad()
        told.backward()
        second.step()


def detached_judgement(maker, judge, made, right):
    score = judge(made).detach()  # why: TW104
    return 5 * F.mse_loss(made, right) + 0.3 * F.softplus(-score).mean()


def judged_without_graph(maker, judge, made, right):
    fooled = F.binary_cross_entropy(judge.score(made), torch.ones(len(made)))
    terms = {"content": F.mse_loss(made, right), "fooled": 0.1 * fooled}
    return sum(terms.values())


def size_of_data(maker, judge, made, right):
    loss = F.mse_loss(made, right)
    for each in maker.parameters():
        loss = loss + 0.01 * each.data.norm(2)  # why: TW104
    return loss


def smoothness(values):
    steps = values.data[:, 1:] - values.data[:, :-1]  # why: TW104
    return steps.abs().mean()


def in_a_helper(maker, judge, made, right):
    total = F.l1_loss(made, right)
    total += 0.2 * smoothness(made)
    return total


train(detached_judgement)
train(judged_without_graph)
train(size_of_data)
train(in_a_helper)
