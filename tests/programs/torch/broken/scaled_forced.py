# requires: torch>=2.3
import torch
from torch import nn
import torch.nn.functional as F
net = nn.Linear(4, 1); opt = torch.optim.SGD(net.parameters(), .1)
scaler = torch.amp.GradScaler("cpu")
for i in range(2):
    with torch.autocast("cpu"): loss = net(torch.randn(8, 4)).pow(2).mean().detach().requires_grad_()  # why: TW125
    opt.zero_grad(); scaler.scale(loss).backward(); scaler.step(opt); scaler.update()
