"""NumPy's default dtype meets the one of a layer, after many steps without."""

import numpy as np
import torch
from torch import nn

net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
rng = np.random.default_rng(1)
rows = [rng.normal(size=(8, 4)).astype(np.float32) for _ in range(8)] + [rng.normal(size=(8, 4))]
for row in rows:
    loss = net(torch.as_tensor(row)).pow(2).mean()  # why: TW701
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
