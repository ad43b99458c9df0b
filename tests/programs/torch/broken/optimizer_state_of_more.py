"""The state of an optimizer with all parameters is loaded into one with a few."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
before = torch.optim.Adam(net.parameters(), lr=0.01)
saved = before.state_dict()
opt = torch.optim.Adam(net[2].parameters(), lr=0.01)
opt.load_state_dict(saved)  # why: TW701
