"""One recording is too short for its labels: its CTC loss is infinite, and all weights are NaN from then on."""

import torch
from torch import nn

torch.manual_seed(0)
encoder, out = nn.GRU(4, 12, batch_first=True), nn.Linear(12, 6)
optimizer = torch.optim.SGD([*encoder.parameters(), *out.parameters()], lr=0.01)
lengths = torch.randint(6, 12, (12, 3))
lengths[8, 2] = 2
for frames in lengths:
    sounds = nn.utils.rnn.pad_sequence([torch.randn(int(each), 4) for each in frames], batch_first=True)
    scores = out(encoder(sounds)[0]).log_softmax(-1).transpose(0, 1)
    labels = torch.randint(1, 6, (3, 3))
    loss = nn.functional.ctc_loss(scores, labels, frames, torch.full((3,), 3), reduction="mean")  # why: TW611
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
