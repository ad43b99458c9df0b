"""Networks that end in a softmax or sigmoid, before loss functions that apply it themselves; scores for `nll_loss`."""

import torch
from torch import nn


class Classifier(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.net, self.end = nn.Linear(4, classes), nn.Softmax(dim=-1) if classes > 1 else nn.Sigmoid()

    def forward(self, x):
        return self.end(self.net(x)).float()  # why: TW805


def train(net, loss_of, labels):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for step in range(4):
        opt.zero_grad()
        loss_of(net(torch.randn(8, 4)), labels).backward()
        opt.step()


train(Classifier(3), nn.CrossEntropyLoss(), torch.randint(3, (8,)))
train(nn.Linear(4, 3), lambda scores, labels: nn.functional.nll_loss(scores, labels), torch.arange(8) % 3)  # why: TW805
