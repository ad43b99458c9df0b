"""Mixed precision as scripts write it: bfloat16 autocast, a disabled scaler, clipping, accumulation; channels last."""

import contextlib

import torch
import torch.nn.functional as F
from torch import nn

device = "cuda" if torch.cuda.is_available() else "cpu"
use_amp = True
scaler = torch.cuda.amp.GradScaler(enabled=device == "cuda")
amp = torch.autocast(device_type=device, dtype=torch.bfloat16, enabled=use_amp)
model = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 4)).to(device, memory_format=torch.channels_last)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
accum = 2
for step in range(6):
    x = torch.randn(4, 3, 8, 8, device=device).to(memory_format=torch.channels_last)
    y = torch.randint(4, (4,), device=device)
    with amp:
        logits = model(x)
        loss = F.cross_entropy(logits, y, label_smoothing=0.1) / accum
    scaler.scale(loss).backward()
    if (step + 1) % accum == 0:
        scaler.unscale_(optimizer)
        norm = nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        optimizer.zero_grad(set_to_none=True)
        print(f"{loss.item() * accum:.2f} {logits.dtype} {bool(norm.isfinite())}")
model.eval()
with torch.inference_mode(), amp if use_amp else contextlib.nullcontext():
    print(model(torch.randn(1, 3, 8, 8)).float().shape)
half = nn.Linear(4, 2).to(torch.bfloat16)
master = [p.detach().float().clone().requires_grad_() for p in half.parameters()]
optimizer = torch.optim.SGD(master, lr=0.1)
for step in range(3):
    loss = half(torch.randn(8, 4, dtype=torch.bfloat16)).float().pow(2).mean()
    half.zero_grad()
    loss.backward()
    for m, p in zip(master, half.parameters()):
        m.grad = p.grad.float()
    optimizer.step()
    with torch.no_grad():
        for m, p in zip(master, half.parameters()):
            p.copy_(m)
    print(f"{loss.item():.2f}")
