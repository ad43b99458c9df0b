"""Q-learning with replay, epsilon-greedy choices and a target network that is copied now and then."""

import torch
from torch import nn
import torch.nn.functional as F

import random

q, target = nn.Linear(4, 2), nn.Linear(4, 2)
target.load_state_dict(q.state_dict())
opt = torch.optim.Adam(q.parameters())
memory = []
state = torch.randn(4)
for step in range(12):
    with torch.no_grad():
        action = random.randrange(2) if random.random() < 0.3 else int(q(state).argmax())
    new = torch.randn(4)
    memory.append((state, action, new.sum().item(), new))
    state = new
    if len(memory) >= 4:
        s, a, r, n = zip(*random.sample(memory, 4))
        chosen = q(torch.stack(s)).gather(1, torch.tensor(a)[:, None]).squeeze(1)
        best = target(torch.stack(n)).max(1).values.detach()
        loss = F.smooth_l1_loss(chosen, torch.tensor(r) + 0.9 * best)
        opt.zero_grad()
        loss.backward()
        opt.step()
    if step % 5 == 4:
        target.load_state_dict(q.state_dict())
print("done")
