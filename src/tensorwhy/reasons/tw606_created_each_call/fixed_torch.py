"""The projection is made once."""

# requires: torch
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(8, 16)
        self.project = nn.Linear(16, 1)

    def forward(self, x):
        hidden = torch.relu(self.body(x))
        return self.project(hidden)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
batch, wanted = torch.randn(32, 8), torch.randn(32, 1)

for step in range(4):
    loss = nn.functional.mse_loss(net(batch), wanted)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

assert net.project.weight.grad is not None
