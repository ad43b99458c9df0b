"""Modules that get gradients and are not trained, as they only judge, or stand between what is trained and the loss."""

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)


class Judge(nn.Module):
    def __init__(self):
        super().__init__()
        self.position = nn.Parameter(torch.randn(8))
        self.layer = nn.Linear(8, 4)

    def forward(self, x):
        return self.layer(x + self.position)


class Prompt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens = nn.Parameter(torch.randn(4, 8))

    def forward(self, x):
        return torch.cat([self.tokens.expand(len(x), -1, -1), x], 1)


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.position = nn.Parameter(torch.randn(12, 8))
        self.embed, self.mix, self.out = nn.Embedding(20, 8), nn.Linear(8, 8), nn.Linear(8, 20)

    def forward(self, x):
        return self.out(torch.tanh(self.mix(x + self.position)))


def judged(net, judge):
    optimizer = torch.optim.Adam(net.parameters())
    for _ in range(4):
        x = torch.randn(16, 8)
        loss = F.mse_loss(judge(net(x)), judge(x).detach())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return loss.item()


def network():
    return nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 8))


print(judged(network(), Judge().eval()))
saved = {name: value + 1 for name, value in Judge().state_dict().items()}
loaded = Judge()
loaded.load_state_dict(saved)
print(judged(network(), loaded))

language, prompt = Language(), Prompt()
optimizer = torch.optim.Adam(prompt.parameters(), 1e-2)
for _ in range(4):
    tokens = torch.randint(0, 20, (8, 8))
    loss = F.cross_entropy(language(prompt(language.embed(tokens)))[:, 4:].flatten(0, 1), tokens.flatten())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

student, teacher = network(), nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 8))
optimizer = torch.optim.Adam(student.parameters())
for _ in range(4):
    x = torch.randn(16, 8)
    loss = F.mse_loss(student(x), teacher(x))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

start, judge = torch.zeros(4, 8, requires_grad=True), Judge()
optimizer = torch.optim.Adam([start], 0.1)
for _ in range(4):
    loss = judge(start).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

net, temperature = nn.Linear(8, 3), nn.Parameter(torch.ones(1))
optimizer = torch.optim.SGD(net.parameters(), 0.1)
x = torch.randn(16, 8)
for _ in range(4):
    loss = F.cross_entropy(net(x) / temperature, x[:, :3].argmax(1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
calibrated = torch.optim.SGD([temperature], 0.1)
for _ in range(4):
    loss = F.cross_entropy(net(x).detach() / temperature, x[:, :3].argmax(1))
    calibrated.zero_grad()
    loss.backward()
    calibrated.step()
empty = torch.optim.SGD([{"params": []}], 0.1)
for _ in range(4):
    empty.step()
