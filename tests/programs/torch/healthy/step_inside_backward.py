"""Optimizer steps in hooks: each parameter is updated as soon as its gradient is there; norms are watched on the way."""

import torch
import torch.nn.functional as F
from torch import nn

model = nn.Sequential(nn.Embedding(12, 8), nn.Flatten(), nn.Linear(32, 16), nn.ReLU(), nn.Linear(16, 3))
optimizers = {p: torch.optim.AdamW([p], lr=1e-2) for p in model.parameters()}
norms = {}


def optimizer_hook(parameter):
    norms[id(parameter)] = parameter.grad.norm()
    optimizers[parameter].step()
    optimizers[parameter].zero_grad()


for p in model.parameters():
    p.register_post_accumulate_grad_hook(optimizer_hook)


class Monitor:
    def __init__(self, module):
        self.seen, self.handles = {}, []
        for name, child in module.named_modules():
            if not list(child.children()) and not isinstance(child, nn.Embedding):
                self.handles.append(child.register_forward_hook(self.forward(name)))
                self.handles.append(child.register_full_backward_hook(self.backward(name)))

    def forward(self, name):
        def hook(module, args, output):
            self.seen[name] = output.detach().abs().mean().item()

        return hook

    def backward(self, name):
        def hook(module, grad_input, grad_output):
            self.seen[name + ".grad"] = grad_output[0].norm().item()

        return hook

    def close(self):
        for handle in self.handles:
            handle.remove()


monitor = Monitor(model)
for step in range(4):
    loss = F.cross_entropy(model(torch.randint(12, (8, 4))), torch.randint(3, (8,)))
    loss.backward()
    print(f"{loss.item():.4f} {len(norms)} {len(monitor.seen)}")
monitor.close()

plain = nn.Linear(4, 1)
plain.weight.register_hook(lambda grad: grad.clamp(-0.1, 0.1))
plain.bias.register_hook(lambda grad: grad * 0.5)
optimizer = torch.optim.SGD(plain.parameters(), lr=0.1)
with torch.autograd.set_detect_anomaly(True):
    for step in range(3):
        out = plain(torch.randn(8, 4))
        out.retain_grad()
        loss = out.square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(f"{loss.item():.4f} {out.grad.shape}")
