import toygrad as tg

scale = tg.Parameter([1.5, 2.5])
values = (tg.Tensor([1.0, 2.0]) * scale).tolist()  # why: TW110
again = tg.Tensor(values)
loss = (again * tg.Parameter([1.0, 1.0])).sum()
print(tg.grad(loss, [scale]))
