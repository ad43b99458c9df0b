"""Iterators that are made again for each epoch, that never end, or that are read in parts on purpose."""

import itertools

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset, TensorDataset

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)
x, y = torch.randn(32, 4), torch.randn(32, 1)
data = TensorDataset(x, y)


def step(x, y):
    optimizer.zero_grad()
    nn.functional.mse_loss(net(x), y).backward()
    optimizer.step()


def endless():
    while True:
        yield from torch.randperm(32).split(8)


class Rows(IterableDataset):
    def __iter__(self):
        return iter(zip(x, y))


for _ in range(3):  # the loader is made again, with a new generator
    for batch in DataLoader(data, batch_sampler=(rows.tolist() for rows in torch.randperm(32).split(8))):
        step(*batch)
rows = DataLoader(Rows(), batch_size=8)
for _ in range(2):
    for batch in rows:
        step(*batch)
for _ in range(2):
    pairs = zip(x.split(8), y.split(8))
    for batch in pairs:
        step(*batch)
chosen = endless()
for _ in range(3):
    for number, rows in enumerate(chosen):
        step(x[rows], y[rows])
        if number == 4:
            break
once = DataLoader(data, batch_sampler=iter([list(range(8)), list(range(8, 16))]))
for batch in once:
    step(*batch)
stream = zip(itertools.cycle(x.split(8)), itertools.cycle(y.split(8)))
for _ in range(2):
    for batch in itertools.islice(stream, 4):
        step(*batch)
print(net.weight)
