"""What a policy draws goes through a model that is frozen: the draw has no graph, and each layer has a gradient."""

import torch
from torch import nn
from torch.distributions import Normal

torch.manual_seed(0)
world = nn.ModuleDict({"cell": nn.GRUCell(2, 4), "reward": nn.Linear(4, 1)}).requires_grad_(False)
policy = nn.Linear(4, 4)
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for step in range(3):
    state = torch.randn(8, 4)
    for _ in range(2):
        mean, spread = policy(state.detach()).chunk(2, -1)
        action = Normal(mean, spread.exp()).sample()  # why: TW103
        state = world["cell"](action, state)
    loss = -world["reward"](state).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
