"""A model is trained for a second task under a second name, and then the first task is tested."""

import torch
from torch import nn

torch.manual_seed(0)


def train(model, wanted):
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for _ in range(6):
        x = torch.randn(16, 3)
        loss = nn.functional.mse_loss(model(x), x @ wanted)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def main():
    tasks = torch.randn(2, 3, 1)
    general = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
    train(general, tasks[0])
    special = general  # why: TW121
    train(special, tasks[1])
    with torch.no_grad():
        print((general(torch.ones(1, 3)) - special(torch.ones(1, 3))).item())


main()
