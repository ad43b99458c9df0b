"""Planning: actions are leaves that are optimized anew at each step through a learned model; then a Kalman filter is fitted."""

import torch
import torch.nn.functional as F
from torch import nn

dynamics = nn.Sequential(nn.Linear(3, 16), nn.Tanh(), nn.Linear(16, 2))
opt = torch.optim.Adam(dynamics.parameters(), lr=1e-2)


def real(state, action):
    return 0.9 * state + 0.3 * torch.cat([action, -action], -1)


for step in range(5):
    s, a = torch.randn(32, 2), torch.rand(32, 1) * 2 - 1
    loss = F.mse_loss(s + dynamics(torch.cat([s, a], -1)), real(s, a))
    opt.zero_grad()
    loss.backward()
    opt.step()
print(f"model {loss.item():.4f}")

dynamics.requires_grad_(False)
state = torch.tensor([1.0, -1.0])
plan = torch.zeros(4, 1)
for t in range(3):
    plan = torch.cat([plan[1:], torch.zeros(1, 1)]).detach().requires_grad_(True)
    planner = torch.optim.SGD([plan], lr=0.3)
    for _ in range(3):
        s, cost = state, 0.0
        for action in plan:
            s = s + dynamics(torch.cat([s, torch.tanh(action)]))
            cost = cost + s.pow(2).sum() + 0.01 * action.pow(2).sum()
        planner.zero_grad()
        cost.backward()
        planner.step()
    with torch.no_grad():
        state = real(state, torch.tanh(plan[0]))
    print(f"{t} {cost.item():.3f}")


class Kalman(nn.Module):
    def __init__(self):
        super().__init__()
        self.A, self.C = nn.Parameter(torch.eye(2) * 0.9), nn.Parameter(torch.tensor([[1.0, 0.0]]))
        self.log_q, self.log_r = nn.Parameter(torch.zeros(2)), nn.Parameter(torch.zeros(1))

    def forward(self, ys):
        m, P, nll = torch.zeros(2), torch.eye(2), 0.0
        for y in ys:
            m = self.A @ m
            P = self.A @ P @ self.A.T + torch.diag(self.log_q.exp())
            S = self.C @ P @ self.C.T + self.log_r.exp()
            r = y - self.C @ m
            nll = nll + 0.5 * (r.pow(2) / S.squeeze() + S.squeeze().log()).sum()
            K = P @ self.C.T / S
            m = m + K @ r
            P = (torch.eye(2) - K @ self.C) @ P
        return nll / len(ys)


filt = Kalman()
opt = torch.optim.Adam(filt.parameters(), lr=0.05)
series = torch.cumsum(torch.randn(12, 1) * 0.3, 0)
for step in range(4):
    loss = filt(series)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(f"{loss.item():.4f}")
