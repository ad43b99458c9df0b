"""Saved weights with other names are put into the state of the model itself, which keeps its own values for them."""

import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, joined):
        super().__init__()
        self.name = "joined" if joined else "projection"
        setattr(self, self.name, nn.Linear(4, 12))
        self.out = nn.Linear(4, 1)

    def forward(self, x):
        return self.out(getattr(self, self.name)(x)[:, :4])


saved = Attention(joined=True).state_dict()
model = Attention(joined=False)
state = model.state_dict()
state.update({name: value for name, value in saved.items() if not name.startswith("head")})
model.load_state_dict(state, strict=False)  # why: TW605
optimizer = torch.optim.SGD(model.parameters(), 0.1)
for _ in range(3):
    optimizer.zero_grad()
    model(torch.randn(8, 4)).pow(2).mean().backward()
    optimizer.step()
