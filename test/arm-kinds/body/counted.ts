/** The value with a count of reads of its members and of their names, in it and below. */
export function counted(value: object): { readonly live: object; readonly reads: () => number } {
  let reads = 0;
  const wrap = (each: unknown): unknown => {
    if (typeof each !== 'object' || each === null) return each;
    return new Proxy(
      Array.isArray(each)
        ? each.map(wrap)
        : Object.fromEntries(Object.entries(each).map(([name, of]) => [name, wrap(of)])),
      {
        ownKeys: (target) => {
          const names = Reflect.ownKeys(target);
          reads += names.length;
          return names;
        },
        get: (target, name) => {
          reads++;
          return Reflect.get(target, name);
        },
      },
    );
  };
  return { live: wrap(value) as object, reads: () => reads };
}
