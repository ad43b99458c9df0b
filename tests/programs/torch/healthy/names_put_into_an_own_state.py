"""Saved weights are put into the state of a model, but for those of its new head."""

import torch
from torch import nn

saved = nn.Sequential(nn.Linear(4, 12), nn.Linear(12, 5)).state_dict()
model = nn.Sequential(nn.Linear(4, 12), nn.Linear(12, 2))
state = model.state_dict()
saved["extra"] = torch.zeros(3)
state.update({name: value for name, value in saved.items() if name not in state or value.shape == state[name].shape})
model.load_state_dict(state, strict=False)
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
