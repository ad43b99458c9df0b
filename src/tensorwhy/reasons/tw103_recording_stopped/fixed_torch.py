"""Fine-tunes a small network."""

# requires: torch
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(8, 16)
        self.head = nn.Linear(16, 1)

    def encode(self, x):
        return torch.tanh(self.encoder(x))

    def forward(self, x):
        return self.head(self.encode(x))


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
batch, wanted = torch.randn(32, 8), torch.randn(32, 1)

for step in range(5):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(net(batch), wanted)
    loss.backward()
    optimizer.step()

assert all(each.grad is not None for each in net.parameters())
