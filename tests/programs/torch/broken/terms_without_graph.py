"""A term of each loss was computed from the model, and is a constant all the same."""

# requires: torch, python>=3.11
import numpy as np
import torch
from torch import nn
from torch.nn import functional as F

torch.manual_seed(0)
inputs = torch.randn(64, 5)
labels = torch.randint(0, 3, (64,))
teacher = nn.Linear(5, 3).requires_grad_(False)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(5, 8), nn.Linear(8, 3)
        self.gates = []

    def forward(self, x):
        hidden = torch.tanh(self.first(x))
        self.gates = [hidden.pow(2).mean(), hidden.abs().mean()]
        return self.second(hidden)


def train(loss_of):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    for rows in torch.arange(64).split(16):
        scores = model(inputs[rows])
        loss = loss_of(model, scores, rows)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def of_a_list(model, scores, rows):
    balance = torch.tensor(model.gates).sum()  # why: TW110
    return F.cross_entropy(scores, labels[rows]) + 0.5 * balance


def of_numbers(model, scores, rows):
    balance = torch.tensor([gate.item() for gate in model.gates])  # why: TW110
    return balance.mean() * 2 + F.cross_entropy(scores, labels[rows])


def a_number(model, scores, rows):
    size = model.first.weight.pow(2).sum().item()  # why: TW110
    loss = F.cross_entropy(scores, labels[rows])
    loss = loss + 0.01 * size
    return loss


def a_number_in_front(model, scores, rows):
    size = model.gates[0].mean().item()  # why: TW110
    return 0.01 * size + F.cross_entropy(scores, labels[rows])


def added_in_place(model, scores, rows):
    loss = F.cross_entropy(scores, labels[rows])
    for gate in model.gates:
        loss += 0.1 * gate.item()  # why: TW110
    return loss


def by_numpy(model, scores, rows):
    probabilities = scores.softmax(1).detach().numpy()  # why: TW110
    entropy = -np.mean(np.sum(probabilities * np.log(probabilities), 1))
    return F.cross_entropy(scores, labels[rows]) - torch.tensor(entropy)


def of_choices(model, scores, rows):
    chosen = scores.argmax(1)  # why: TW106
    wrong = (chosen != labels[rows]).float().mean()
    return F.cross_entropy(scores, labels[rows]) + 3 * wrong


def violations(scores):
    return (scores[:, 0] > scores[:, 1]).float()  # why: TW106


def of_comparisons(model, scores, rows):
    terms = [F.cross_entropy(scores, labels[rows]), violations(scores).mean()]
    return torch.stack(terms).sum()


def of_counts(model, scores, rows):
    counts = torch.histc(scores[:, 0], bins=4, min=-2, max=2)  # why: TW106
    return F.cross_entropy(scores, labels[rows]) + (counts / counts.sum()).pow(2).sum()


def of_indices(model, scores, rows):
    best, chosen = scores.max(1)  # why: TW105
    return best.pow(2).mean() + (chosen - labels[rows]).float().abs().mean()


def of_the_teacher_alone(model, scores, rows):
    with torch.no_grad():
        wanted = teacher(inputs[rows])
    soft = F.kl_div(
        F.log_softmax(wanted / 2, 1),  # why: TW115
        F.softmax(wanted / 2, 1),
        reduction="batchmean",
    )
    return 4 * soft + F.cross_entropy(scores, labels[rows])


train(of_a_list)
train(of_numbers)
train(a_number)
train(a_number_in_front)
train(added_in_place)
train(by_numpy)
train(of_choices)
train(of_comparisons)
train(of_counts)
train(of_indices)
train(of_the_teacher_alone)
