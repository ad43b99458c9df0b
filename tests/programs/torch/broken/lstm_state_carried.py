import torch
from torch import nn
import torch.nn.functional as F
rnn = nn.LSTM(4, 6, batch_first=True); head = nn.Linear(6, 1)
opt = torch.optim.Adam([*rnn.parameters(), *head.parameters()])
hidden = None
for i in range(3):
    out, hidden = rnn(torch.randn(2, 5, 4), hidden)  # why: TW120
    loss = head(out).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
