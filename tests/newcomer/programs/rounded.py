import toygrad as tg

scale = tg.Parameter([1.5, 2.5])
x = tg.Tensor([1.0, 2.0])
steps = tg.floor(x * scale)  # why: TW106
loss = (steps * tg.Parameter([1.0, 1.0])).sum()
print(tg.grad(loss, [scale]))
