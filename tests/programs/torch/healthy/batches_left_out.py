"""A batch with NaN is left out, gradients are clipped, and the actor's loss uses the lesser of two critics."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Linear(4, 1)
actor, first, second = nn.Linear(3, 1), nn.Linear(4, 1), nn.Linear(4, 1)
with torch.no_grad():
    second.bias += 50
critics = [*first.parameters(), *second.parameters()]
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
acting, judging = torch.optim.Adam(actor.parameters(), lr=1e-2), torch.optim.Adam(critics, lr=1e-2)

for step in range(6):
    x = torch.randn(8, 4)
    if step == 1:
        x[0, 0] = float("nan")
    loss = (net(x) - 1).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    if torch.isfinite(nn.utils.clip_grad_norm_(net.parameters(), 1.0)):
        optimizer.step()
    state, reward = torch.randn(16, 3), torch.randn(16, 1)
    action = torch.tanh(actor(state))
    seen = torch.cat([state, action.detach()], 1)
    wrong = (first(seen) - reward).pow(2).mean() + (second(seen) - reward).pow(2).mean()
    judging.zero_grad()
    wrong.backward()
    judging.step()
    both = torch.cat([state, action], 1)
    regret = -torch.min(first(both), second(both)).mean()
    acting.zero_grad()
    regret.backward()
    acting.step()
print(f"{loss.item():.3f}")
