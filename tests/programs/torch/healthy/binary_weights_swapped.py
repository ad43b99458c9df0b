"""BinaryConnect: weights are swapped for their signs, the gradient goes to the full ones, which are clipped."""

import torch
import torch.nn.functional as F
from torch import nn


class BinarizeLinear(nn.Linear):
    def forward(self, x):
        if x.size(1) != 6:
            x.data = x.data.sign()
        if not hasattr(self.weight, "org"):
            self.weight.org = self.weight.data.clone()
        self.weight.data = self.weight.org.sign()
        out = F.linear(x, self.weight)
        if self.bias is not None:
            self.bias.org = self.bias.data.clone()
            out += self.bias.view(1, -1).expand_as(out)
        return out


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.bn1, self.tanh1 = BinarizeLinear(6, 24), nn.BatchNorm1d(24), nn.Hardtanh()
        self.fc2, self.bn2, self.tanh2 = BinarizeLinear(24, 24), nn.BatchNorm1d(24), nn.Hardtanh()
        self.fc3 = nn.Linear(24, 3)

    def forward(self, x):
        x = self.tanh1(self.bn1(self.fc1(x)))
        x = self.tanh2(self.bn2(self.fc2(x)))
        return self.fc3(x)


model = Net()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
criterion = nn.CrossEntropyLoss()
for batch in range(5):
    data, target = torch.randn(16, 6), torch.randint(3, (16,))
    optimizer.zero_grad()
    loss = criterion(model(data), target)
    loss.backward()
    for p in list(model.parameters()):
        if hasattr(p, "org"):
            p.data.copy_(p.org)
    optimizer.step()
    for p in list(model.parameters()):
        if hasattr(p, "org"):
            p.org.copy_(p.data.clamp_(-1, 1))
    print(f"{loss.item():.4f}")
