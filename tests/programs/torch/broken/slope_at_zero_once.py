"""A picture without colors in step 12 gives a distance of 0 between its channels: the loss is finite, its slope is not."""

import torch
from torch import nn

net = nn.Conv2d(3, 3, 1)
opt = torch.optim.SGD(net.parameters(), lr=0.01)


def distance(picture):
    red, green = picture.mean((2, 3))[:, :2].T
    return torch.pow((red - green).pow(2), 0.5).mean()  # why: TW611


for step in range(20):
    picture = torch.rand(4, 3, 4, 4)
    if step == 12:
        picture[:] = 0
    opt.zero_grad()
    loss = distance(picture + 0.1 * torch.tanh(net(picture) - net(torch.zeros(1, 3, 4, 4))))
    loss.backward()
    opt.step()
