"""Truncated backpropagation: the state is detached between pieces."""

import torch
from torch import nn
import torch.nn.functional as F

rnn, head = nn.LSTM(4, 8, batch_first=True), nn.Linear(8, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()])
state = None
for step in range(5):
    out, state = rnn(torch.randn(2, 7, 4), state)
    state = tuple(each.detach() for each in state)
    loss = head(out).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
