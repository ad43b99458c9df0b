import toygrad as tg

first, last = tg.Dense(3, 2), tg.Dense(2, 1)
optimizer = tg.Descent([*first.parameters(), *last.parameters()])
for step in range(3):
    x = tg.Tensor([1.0, 2.0, step])
    loss = last(tg.tanh(first(x))).sum()
    optimizer.clear()
    loss.backward()
    optimizer.step()
print(tg.grad(last(first(x)).sum(), first.parameters()))
