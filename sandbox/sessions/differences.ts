import { type Outcome, sameClass } from './replay.ts';

/** How often each difference occurs, the most frequent first, with one session. */
export function differencesOf(outcomes: readonly Outcome[]): string[] {
  const counts = new Map<string, { times: number; session: string }>();
  for (const outcome of outcomes) {
    for (const line of linesOf(outcome)) {
      const known = counts.get(line) ?? { times: 0, session: outcome.session };
      counts.set(line, { ...known, times: known.times + 1 });
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b.times - a.times)
    .map(([line, { times, session }]) => `${String(times).padStart(5)}  ${line}  (${session})`);
}

function linesOf({ subject, request, answer, shapes, codes, missing, defaults }: Outcome): string[] {
  const at = `${subject.type} ${request.method}${subject.single || request.method === 'POST' ? '' : ' list'}`;
  const lines: string[] = [];
  if (request.status !== answer.status) {
    const code = JSON.stringify(answer.body ?? '').match(/"code":"(\w+)"/)?.[1] ?? '';
    const word = sameClass({ request, answer } as Outcome) ? 'status' : 'CLASS';
    lines.push(`${at}: ${word} ${request.status}, here ${answer.status} ${code}`.trimEnd());
  }
  if (shapes && shapes[0] !== shapes[1]) lines.push(`${at}: shape ${shapes[0]}, here ${shapes[1]}`);
  if (codes && codes[0] !== codes[1]) lines.push(`${at}: code ${codes[0]}, here ${codes[1]}`);
  for (const member of missing) lines.push(`${at}: no ${member}`);
  for (const { path, azure, here } of defaults) {
    if (azure !== here) lines.push(`${at}: ${path} is ${String(azure)}, here ${String(here)}`);
  }
  return lines;
}
