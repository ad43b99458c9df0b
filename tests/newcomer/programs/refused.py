import toygrad as tg

part = tg.Dense(3, 2)
x = tg.Tensor([1.0, 2.0])
y = part(x)  # why: TW701
