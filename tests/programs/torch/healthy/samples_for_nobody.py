"""Parts that get no sample, or only trivial ones: an expert, a recurrent weight of one moment, a satisfied hinge."""

# requires: torch
import torch
from torch import nn

torch.manual_seed(0)
experts, gate = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)]), nn.Linear(4, 3)
rnn, head, margin = nn.LSTM(4, 6), nn.Linear(6, 1), nn.Linear(2, 1)
with torch.no_grad():
    gate.bias[2] = -8.0
    margin.weight.fill_(3.0)
parts = nn.ModuleList([experts, gate, rnn, head])
optimizer, other = torch.optim.Adam(parts.parameters(), lr=1e-2), torch.optim.SGD(margin.parameters(), lr=0.1)

for step in range(8):
    x = torch.randn(16, 4)
    share = gate(x).softmax(-1)
    chosen = share.argmax(-1)
    mixed = torch.zeros_like(x)
    for number, expert in enumerate(experts):
        mine = chosen == number
        mixed[mine] = expert(x[mine]) * share[mine, number][:, None]
    moment, _ = rnn(x[None])
    loss = (mixed - x).pow(2).mean() + (head(moment[-1]) - x[:, :1]).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    side = torch.cat([torch.ones(8), -torch.ones(8)])
    hinge = torch.relu(1 - side * margin(side[:, None] * (6 + torch.rand(16, 2)))[:, 0]).mean()
    other.zero_grad()
    hinge.backward()
    other.step()
print(f"{loss.item():.3f} {hinge.item():.3f}")
