import type { Call } from '../function-spec.ts';

/** The parts between delimiters, of which the first one in the text counts, and of those at one place the first given. */
export function splitText(text: string, delimiters: readonly string[], call: Call): string[] {
  const next = new Map<string, number>();
  for (const delimiter of delimiters) {
    call.run.budget.search(text.length, delimiter.length);
    next.set(delimiter, text.indexOf(delimiter));
  }
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    let [found, at] = ['', text.length];
    for (const [delimiter, index] of next) {
      if (index !== -1 && index < from) next.set(delimiter, text.indexOf(delimiter, from));
      const current = next.get(delimiter) ?? -1;
      if (current !== -1 && current < at) [found, at] = [delimiter, current];
    }
    call.run.budget.step(Math.ceil(next.size / 8));
    parts.push(text.slice(from, at));
    if (found === '') return parts;
    from = at + found.length;
  }
}
