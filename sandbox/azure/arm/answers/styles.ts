import type { RemoveStyle, WriteStyle } from '../behaviour.ts';
import { recordedAnswers, usualShape, type WriteKind } from './recorded-answers.ts';

/** A recorded shape, such as `201 AR body 10`, in its parts. */
interface Shape {
  readonly status: number;
  readonly letters: string;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;
}

function parse(shape: string): Shape {
  const [status = '', letters = '', body = '', seconds] = shape.split(' ');
  const retryAfterSeconds = letters.includes('R') ? Number(seconds ?? 10) : undefined;
  return { status: Number(status), letters, body, retryAfterSeconds };
}

/** The recorded shape of a write. Without a recording, an update is like the create. */
function shapeOf(type: string, kind: WriteKind, apiVersion: string): Shape | undefined {
  const answers = recordedAnswers(type, apiVersion);
  for (const each of answers) if (each[kind] !== undefined) return parse(each[kind]);
  if (kind === 'patch' || kind === 'repeat') return shapeOf(type, 'update', apiVersion);
  const created = kind === 'update' ? answers.find(({ create }) => create !== undefined)?.create : undefined;
  const shape = created ?? usualShape(type, kind);
  if (shape === undefined) return undefined;
  const parsed = parse(shape);
  return kind === 'update' && parsed.status === 201 ? { ...parsed, status: 200 } : parsed;
}

function pollOf({ letters }: Shape): 'none' | 'location' | 'status' | 'both' {
  if (letters.includes('A')) return letters.includes('L') ? 'both' : 'status';
  return letters.includes('L') ? 'location' : 'none';
}

/** How Azure answers a PUT or PATCH of the type, laid on what its row says; the row of a type never seen stays. */
export function writeStyle(row: WriteStyle, type: string, kind: WriteKind, apiVersion: string): WriteStyle {
  const shape = row.poll === 'body' ? undefined : shapeOf(type, kind, apiVersion);
  if (!shape) return row;
  const bodies: Readonly<Record<string, WriteStyle['body']>> = { '-': 'empty', '{}': 'object', body: 'resource' };
  return {
    ...row,
    status: shape.status as WriteStyle['status'],
    poll: pollOf(shape),
    retryAfterSeconds: shape.retryAfterSeconds,
    body: bodies[shape.body] ?? (shape.body as WriteStyle['body'] & string),
    locationIsResource: shape.letters.includes('I'),
  };
}

/** How Azure answers a DELETE of the type; as `writeStyle`. */
export function removeStyle(row: RemoveStyle, type: string, apiVersion: string): RemoveStyle {
  const shape = row.status === 405 ? undefined : shapeOf(type, 'remove', apiVersion);
  if (!shape) return row;
  return {
    ...row,
    status: shape.status as RemoveStyle['status'],
    poll: pollOf(shape),
    retryAfterSeconds: shape.retryAfterSeconds,
    body:
      shape.body === 'body' ? 'resource' : shape.body === 'operation' || shape.body === 'status' ? shape.body : 'empty',
  };
}

/** How Azure answers a POST action of this recorded shape. */
export function actionStyle(shape: string): {
  status: number;
  poll: 'none' | 'location' | 'status' | 'both';
  retryAfterSeconds: number | undefined;
} {
  const parsed = parse(shape);
  return { status: parsed.status, poll: pollOf(parsed), retryAfterSeconds: parsed.retryAfterSeconds };
}
