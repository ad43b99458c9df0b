import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(3, 1); opt = torch.optim.LBFGS(net.parameters())
x = torch.randn(5, 3)
def closure():
    opt.zero_grad()
    loss = torch.tensor(net(x).pow(2).mean().item(), requires_grad=True)  # why: TW110
    loss.backward(); return loss
for i in range(2): opt.step(closure)
