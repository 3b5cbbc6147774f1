/** The first circle among nodes by their keys, as the chain of its keys with the first one again at its end; undefined for none. */
export function findCycle(edges: ReadonlyMap<string, readonly string[]>): readonly string[] | undefined {
  const state = new Map<string, 'open' | 'done'>();
  for (const start of edges.keys()) {
    if (state.has(start)) continue;
    const stack: { readonly key: string; next: number }[] = [{ key: start, next: 0 }];
    state.set(start, 'open');
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = edges.get(top.key)?.[top.next++];
      if (target === undefined) {
        state.set(top.key, 'done');
        stack.pop();
      } else if (state.get(target) === 'open') {
        const chain = stack.map(({ key }) => key);
        return [...chain.slice(chain.indexOf(target)), target];
      } else if (!state.has(target)) {
        state.set(target, 'open');
        stack.push({ key: target, next: 0 });
      }
    }
  }
  return undefined;
}
