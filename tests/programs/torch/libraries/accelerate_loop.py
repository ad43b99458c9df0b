"""Accelerate: prepared model, optimizer, data and schedule, accumulation in a context, clipping only at syncs."""

import torch
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
accelerator = Accelerator(cpu=True, gradient_accumulation_steps=2)
model = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.AdamW(model.parameters(), 0.01)
schedule = torch.optim.lr_scheduler.StepLR(optimizer, 4, 0.5)
x = torch.randn(64, 3)
data = DataLoader(TensorDataset(x, x.sum(1, keepdim=True)), 8, shuffle=True)
model, optimizer, data, schedule = accelerator.prepare(model, optimizer, data, schedule)
for _ in range(3):
    model.train()
    for value, wanted in data:
        with accelerator.accumulate(model):
            loss = nn.functional.mse_loss(model(value), wanted)
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad()
    model.eval()
    with torch.no_grad():
        accelerator.gather_for_metrics(model(x))
print(accelerator.unwrap_model(model)[0].weight.shape, schedule.get_last_lr()[0] < 0.01)
