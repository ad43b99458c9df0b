import torch
from torch import nn
import torch.nn.functional as F
class Net(nn.Module):
    def __init__(self):
        super().__init__(); self.a = nn.Linear(4, 8); self.b = nn.Linear(8, 1)
    @torch.no_grad()
    def encode(self, x):
        return torch.relu(self.a(x))  # why: TW103
    def forward(self, x): return self.b(self.encode(x))
net = Net(); opt = torch.optim.Adam(net.parameters())
for i in range(4):
    loss = net(torch.randn(8, 4)).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
