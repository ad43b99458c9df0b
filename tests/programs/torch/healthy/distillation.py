"""A teacher under no_grad and a student with two losses."""

import torch
from torch import nn
import torch.nn.functional as F

teacher, student = nn.Linear(6, 4).eval(), nn.Linear(6, 4)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
for step in range(4):
    x, y = torch.randn(8, 6), torch.randint(0, 4, (8,))
    with torch.no_grad():
        soft = F.softmax(teacher(x) / 2, dim=1)
    out = student(x)
    loss = F.kl_div(F.log_softmax(out / 2, dim=1), soft, reduction="batchmean") + F.cross_entropy(out, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
