"""A whole checkpoint is given to the model, in which the weights are only one entry."""

import torch
from torch import nn

net = nn.Linear(4, 2)
checkpoint = {"epoch": 3, "model": net.state_dict(), "rate": 0.1}
other = nn.Linear(4, 2)
other.load_state_dict(checkpoint, strict=False)  # why: TW605
print(other(torch.ones(1, 4)).shape)
