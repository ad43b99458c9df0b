"""Packed sequences of several lengths through an LSTM."""

import torch
from torch import nn
import torch.nn.functional as F

from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

embed, rnn, out = nn.Embedding(9, 4, padding_idx=0), nn.LSTM(4, 6, batch_first=True, bidirectional=True), nn.Linear(12, 2)
opt = torch.optim.Adam([p for m in (embed, rnn, out) for p in m.parameters()])
for step in range(3):
    x, lengths = torch.randint(1, 9, (4, 5)), torch.tensor([5, 4, 2, 1])
    packed = pack_padded_sequence(embed(x), lengths, batch_first=True)
    hidden, _ = pad_packed_sequence(rnn(packed)[0], batch_first=True)
    loss = F.cross_entropy(out(hidden.sum(1)), torch.randint(0, 2, (4,)))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
