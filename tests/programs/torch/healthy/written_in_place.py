"""Results are written into others with their graph, and constants through `.data`."""

import torch
from torch import nn

torch.manual_seed(0)
words, image, out = nn.Embedding(9, 6), nn.Linear(4, 6), nn.Linear(6, 1)
average = torch.zeros(6)
optimizer = torch.optim.SGD([*words.parameters(), *image.parameters(), *out.parameters()], 0.1)
for _ in range(4):
    hidden = words(torch.randint(0, 9, (3, 5))) * 1.0
    hidden.data[:, 0] = 0.5
    hidden.data[:, 1].clamp_(-1, 1)
    hidden[:, 1:3] = image(torch.randn(3, 2, 4))
    average.data.mul_(0.9).add_(hidden.detach().mean((0, 1)), alpha=0.1)
    words.weight.data[0].fill_(0.0)
    loss = (out(hidden) - average.sum()).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
