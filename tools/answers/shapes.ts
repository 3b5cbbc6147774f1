import { isObject } from '../../runtime/base/json.ts';
import type { Action, Write } from './samples.ts';

/** How Azure answers one kind of write: `201 AR body 10`, as `runtime` reads it. */
export function learnShapes(writes: readonly Write[]): Record<string, string> {
  const byKind = Map.groupBy(writes, ({ kind }) => kind);
  return Object.fromEntries(
    [...byKind].sort(([a], [b]) => (a < b ? -1 : 1)).map(([kind, of]) => [kind, mostFrequent(of.map(shapeOf))]),
  );
}

/** The most frequent answer of one POST action. */
export const learnActionShape = (actions: readonly Action[]): string => mostFrequent(actions.map(shapeOf));

/** Status, headers of an operation (A, L, R), the body (`body`, `{}`, `operation`, `status`, `-` for none), and Retry-After. */
function shapeOf({ exchange: { status, headers, answer, path } }: Pick<Write, 'exchange'>): string {
  const location = headers['location'] ?? '';
  const isResource = location.toLowerCase().split('?')[0]?.endsWith(path.toLowerCase()) ?? false;
  const letters = [
    headers['azure-asyncoperation'] === undefined ? '' : 'A',
    location === '' ? '' : isResource ? 'I' : 'L',
    headers['retry-after'] === undefined ? '' : 'R',
  ].join('');
  return [status, letters || '-', bodyOf(answer), headers['retry-after'] ?? ''].join(' ').trim();
}

function bodyOf(answer: unknown): string {
  if (!isObject(answer)) return '-';
  if (Object.keys(answer).length === 0) return '{}';
  if ('id' in answer) return 'body';
  return 'operation' in answer ? 'operation' : 'status' in answer ? 'status' : 'body';
}

function mostFrequent(values: readonly string[]): string {
  const counts = [...Map.groupBy(values, (value) => value.replace(/ \d+$/, ''))].sort(
    ([, a], [, b]) => b.length - a.length,
  );
  const [, all = []] = counts[0] ?? [];
  return [...Map.groupBy(all, (value) => value)].sort(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? '';
}
