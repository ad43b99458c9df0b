"""Old code wraps its data, its targets, and an image that is optimized itself in `Variable`."""

import torch
from torch import nn
from torch.autograd import Variable

torch.manual_seed(0)
net = nn.Linear(4, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(4):
    x, y = Variable(torch.randn(8, 4)), Variable(torch.randn(8, 1), requires_grad=False)
    with torch.no_grad():
        base = Variable(net(x))
    loss = (net(x) - y - 0.1 * base).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{Variable(loss).item():.3f}", Variable(loss.data).requires_grad)

image = Variable(torch.rand(4), requires_grad=True)
for _ in range(3):
    (net(image) - 1).pow(2).sum().backward()
    image = Variable(image.data - 0.1 * image.grad, requires_grad=True)
started = Variable(net(torch.ones(4)).data, requires_grad=True)  # a start for something that is optimized by itself
fitted = torch.optim.SGD([started], lr=0.1)
for _ in range(3):
    fitted.zero_grad()
    (started - 2).pow(2).sum().backward()
    fitted.step()
print(isinstance(image, Variable), type(Variable(torch.ones(1))).__name__, f"{started.item():.3f}")
