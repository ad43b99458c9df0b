"""The scheduler takes the branch of the optimizer, and nothing of the model is left at the end."""

import torch
from torch import nn


def train(net, optimizer, scheduler=None):
    for _ in range(6):
        loss = net(torch.randn(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        if scheduler is not None:
            scheduler.step()
        else:
            optimizer.step()  # why: TW604


def main():
    net = nn.Linear(4, 2)
    optimizer = torch.optim.Adam(net.parameters())
    train(net, optimizer, torch.optim.lr_scheduler.StepLR(optimizer, step_size=4))


main()
