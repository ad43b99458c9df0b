// What a graph's picture needs of graph theory. All walks are loops: a lineage can be deeper than the call stack.

/** All items, each after everything that `before` leads to from it; along cycles, in some order. */
export function postorder<T>(items: Iterable<T>, before: (item: T) => Iterable<T>): T[] {
  const seen = new Set<T>();
  const order: T[] = [];
  for (const root of items) {
    if (seen.has(root)) continue;
    seen.add(root);
    const stack: [T, Iterator<T>][] = [[root, before(root)[Symbol.iterator]()]];
    while (stack.length) {
      const [item, rest] = stack[stack.length - 1]!;
      const next = rest.next();
      if (next.done) {
        order.push(item);
        stack.pop();
      } else if (!seen.has(next.value)) {
        seen.add(next.value);
        stack.push([next.value, before(next.value)[Symbol.iterator]()]);
      }
    }
  }
  return order;
}

/** The items that lie on a cycle of more than one item. `order` is their postorder along the other direction. */
export function cyclic<T>(order: T[], after: (item: T) => Iterable<T>): Set<T> {
  const seen = new Set<T>();
  const found = new Set<T>();
  for (const root of [...order].reverse()) {
    if (seen.has(root)) continue;
    const component = reachable([root], (item) => [...after(item)].filter((next) => !seen.has(next)));
    for (const item of component) seen.add(item);
    if (component.size > 1) for (const item of component) found.add(item);
  }
  return found;
}

/** The items and everything that `next` leads to from them. */
export function reachable<T>(items: Iterable<T>, next: (item: T) => Iterable<T>): Set<T> {
  const found = new Set(items);
  for (const item of found) for (const other of next(item)) found.add(other);
  return found;
}

/** Where to cut a sequence into pieces of about `size`: near each multiple, where the fewest links cross. */
export function boundaries(count: number, size: number, links: Iterable<[number, number]>): number[] {
  const last = Array.from({ length: count }, (_, index) => index);
  for (const [start, end] of links) last[start] = Math.max(last[start]!, end);
  const change = new Array<number>(count + 2).fill(0);
  last.forEach((end, start) => {
    change[start + 1]! += 1;
    change[end + 1]! -= 1;
  });
  const crossing: number[] = [];
  change.reduce((sum, step, index) => (crossing[index] = sum + step), 0);
  const found: number[] = [];
  for (let at = 0; count - at > 1.5 * size; at = found[found.length - 1]!) {
    let best = at + size;
    const better = (one: number) => crossing[one]! - crossing[best]! || Math.abs(one - at - size) - Math.abs(best - at - size);
    for (let one = at + Math.ceil(size / 2); one <= Math.min(at + 1.5 * size, count - 1); one++) if (better(one) < 0) best = one;
    found.push(best);
  }
  return found;
}
