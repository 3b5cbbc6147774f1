/**
 * The first circle among nodes by their keys, in linear time: the chain along the edges, with its first key again at its
 * end. Undefined for none. A key that only an edge names counts as a node: `edgesOf` is asked for its edges too.
 */
export function findCycle(
  keys: Iterable<string>,
  edgesOf: (key: string) => readonly string[],
): readonly string[] | undefined {
  const state = new Map<string, 'open' | 'done'>();
  for (const start of keys) {
    if (state.has(start)) continue;
    const stack: { readonly key: string; readonly edges: readonly string[]; next: number }[] = [];
    const open = (key: string) => {
      state.set(key, 'open');
      stack.push({ key, edges: edgesOf(key), next: 0 });
    };
    open(start);
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const target = top.edges[top.next++];
      if (target === undefined) {
        state.set(top.key, 'done');
        stack.pop();
      } else if (state.get(target) === 'open') {
        const chain = stack.map(({ key }) => key);
        return [...chain.slice(chain.indexOf(target)), target];
      } else if (!state.has(target)) open(target);
    }
  }
  return undefined;
}
