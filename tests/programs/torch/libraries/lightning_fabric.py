"""Lightning Fabric: the loop is written by hand, the wrapped model and optimizer come from `setup`."""

import lightning
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

lightning.seed_everything(0, verbose=False)
fabric = lightning.Fabric(accelerator="cpu", devices=1)
fabric.launch()
net = nn.Sequential(nn.Linear(3, 8), nn.Tanh(), nn.Linear(8, 1))
model, optimizer = fabric.setup(net, torch.optim.SGD(net.parameters(), 0.1, momentum=0.9))
x = torch.randn(32, 3)
batches = fabric.setup_dataloaders(DataLoader(TensorDataset(x, x.prod(1, keepdim=True)), 8))
for epoch in range(3):
    for number, (value, wanted) in enumerate(batches):
        with fabric.no_backward_sync(model, enabled=number % 2 == 0):
            loss = nn.functional.mse_loss(model(value), wanted)
            fabric.backward(loss)
        if number % 2:
            fabric.clip_gradients(model, optimizer, max_norm=1.0)
            optimizer.step()
            optimizer.zero_grad()
model.eval()
with torch.no_grad():
    print(model(x).shape, len(batches))
