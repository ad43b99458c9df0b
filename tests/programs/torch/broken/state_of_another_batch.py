"""The state of an LSTM is made for full batches, and the last one is smaller."""

import torch
from torch import nn

lstm, head = nn.LSTM(3, 5, batch_first=True), nn.Linear(5, 1)
opt = torch.optim.SGD([*lstm.parameters(), *head.parameters()], lr=0.1)
for x in torch.randn(10, 7, 3).split(4):
    state = torch.zeros(1, 4, 5), torch.zeros(1, 4, 5)
    out, _ = lstm(x, state)  # why: TW701
    loss = head(out[:, -1]).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
