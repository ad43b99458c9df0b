"""Only the gradients of one of two networks are ever cleared; other calls of `backward` come in between."""

import torch
from torch import nn

made, judge = nn.Linear(4, 4), nn.Linear(4, 1)
first = torch.optim.Adam(made.parameters(), lr=1e-3)
second = torch.optim.Adam(judge.parameters(), lr=1e-3)
score = nn.BCEWithLogitsLoss()
yes, no = torch.ones(16, 1), torch.zeros(16, 1)
for _ in range(12):
    fake = made(torch.randn(16, 4))
    second.zero_grad()
    (score(judge(torch.randn(16, 4)), yes) + score(judge(fake.detach()), no)).backward()
    second.step()
    score(judge(fake), yes).backward()
    first.step()  # why: TW121
