"""Old code wraps a result in `Variable`, which takes it out of the graph today; and a loss of values, to silence it."""

import torch
from torch import nn
from torch.autograd import Variable

torch.manual_seed(0)


class Scores(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 8), nn.Linear(8, 1)

    def forward(self, x):
        hidden = Variable(torch.relu(self.body(x)))  # why: TW104
        return self.head(hidden)


def wrapped():
    scores = Scores()
    optimizer = torch.optim.SGD(scores.parameters(), lr=0.1)
    for _ in range(4):
        loss = scores(Variable(torch.randn(8, 4))).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def silenced():
    body = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(body.parameters(), lr=0.1)
    for _ in range(4):
        values = body(torch.randn(8, 4)).data  # why: TW104
        loss = Variable(values.pow(2).mean(), requires_grad=True)  # why: TW125
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


wrapped()
silenced()
