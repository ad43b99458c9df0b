import toygrad as tg

body = tg.Parameter([1.0, 1.0])  # why: TW604
head = tg.Parameter([2.0, 3.0])
optimizer = tg.Descent([head])
for step in range(3):
    optimizer.clear()
    loss = (body * head).sum()
    loss.backward()
    optimizer.step()
