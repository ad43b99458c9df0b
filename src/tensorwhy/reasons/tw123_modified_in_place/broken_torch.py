"""Two losses share a body; the first step changes its weights before the second backward pass."""

# requires: torch
import torch
from torch import nn

body, policy, value = nn.Linear(4, 16), nn.Linear(16, 2), nn.Linear(16, 1)
p_opt = torch.optim.Adam([*body.parameters(), *policy.parameters()])
v_opt = torch.optim.Adam([*body.parameters(), *value.parameters()])
before = policy.weight.detach().clone()

for episode in range(2):
    states, returns = torch.randn(32, 4), torch.randn(32, 1)
    hidden = torch.tanh(body(states))
    hidden = torch.tanh(nn.functional.linear(hidden, body.weight @ body.weight.t()))
    p_loss = -(policy(hidden).log_softmax(1)[:, :1] * returns).mean()
    v_loss = nn.functional.mse_loss(value(hidden), returns)
    p_opt.zero_grad()
    p_loss.backward(retain_graph=True)
    p_opt.step()  # why: TW123
    v_opt.zero_grad()
    v_loss.backward()
    v_opt.step()
