import type { Json } from '../../json.ts';

/** Puts a value where an answer's path (`member`, `list[0]`, `list[?member==value]`) points. */
export function putAt(root: Json, path: string, value: unknown): void {
  const steps = [...path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)].map(([, name, selector]) => ({ name, selector }));
  let here: unknown = root;
  for (const [index, { name, selector }] of steps.entries()) {
    const next = steps[index + 1];
    const fresh = next === undefined ? value : next.selector === undefined ? {} : [];
    if (name !== undefined) {
      const object = here as Json;
      if (next === undefined || object[name] === undefined) object[name] = fresh;
      here = object[name];
    } else {
      const list = here as Json[];
      const [, member = '', word] = /^\?([^=]+)==(.*)$/.exec(selector ?? '') ?? [];
      const wanted = word === 'null' ? null : word;
      let item = wanted === undefined ? list[Number(selector)] : list.find((each) => each[member] === wanted);
      if (!item) {
        item = wanted === undefined ? {} : { [member]: wanted };
        list.push(item);
      }
      here = item;
    }
  }
}
