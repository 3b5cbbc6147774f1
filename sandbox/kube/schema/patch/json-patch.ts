import { type Json, type JsonObject, PatchError } from '../../types.ts';
import { copy, equal, get, isObject, set } from '../schema-node.ts';

const operations = new Set(['add', 'remove', 'replace', 'move', 'copy', 'test']);

/** RFC 6902. Malformed patches throw `malformed`; a missing path or a failed `test` throws `unprocessable`. */
export function jsonPatch(live: Json, patch: unknown): Json {
  if (!Array.isArray(patch)) throw new PatchError('malformed', 'a JSON patch must be an array of operations');
  let root = copy(live);
  for (const operation of patch) root = step(root, operation);
  return root;
}

function step(root: Json, operation: unknown): Json {
  if (!isObject(operation) || typeof operation['op'] !== 'string' || !operations.has(operation['op'])) {
    const got = isObject(operation) ? operation['op'] : operation;
    throw new PatchError('malformed', `Unexpected kind: ${JSON.stringify(got) ?? 'none'}`);
  }
  const op = operation['op'];
  if (typeof operation['path'] !== 'string') throw new PatchError('malformed', `${op} operation without a path`);
  const path = pointer(operation['path']);
  if (op === 'remove') return remove(root, path, op);
  if (op === 'move' || op === 'copy') {
    if (typeof operation['from'] !== 'string') throw new PatchError('malformed', `${op} operation without "from"`);
    const from = pointer(operation['from']);
    if (op === 'move' && path.length > from.length && from.every((part, index) => part === path[index])) {
      throw new PatchError('unprocessable', `move operation cannot move ${operation['from']} into itself`);
    }
    const value = copy(read(root, from, op));
    return add(op === 'move' ? remove(root, from, op) : root, path, value, op);
  }
  if (!Object.hasOwn(operation, 'value')) throw new PatchError('malformed', `${op} operation without a value`);
  const value = copy(operation['value'] ?? null);
  if (op === 'add') return add(root, path, value, op);
  if (op === 'replace') return replace(root, path, value);
  const found = tryRead(root, path);
  if (!equal(found ?? null, value)) {
    throw new PatchError('unprocessable', `testing value ${operation['path']} failed: test failed`);
  }
  return root;
}

function pointer(text: string): string[] {
  if (text === '') return [];
  if (!text.startsWith('/'))
    throw new PatchError('malformed', `JSON pointer ${JSON.stringify(text)} must start with /`);
  return text
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function tryRead(root: Json, path: readonly string[]): Json | undefined {
  let value: Json | undefined = root;
  for (const part of path) {
    if (Array.isArray(value)) value = /^(?:0|[1-9]\d*)$/.test(part) ? value[Number(part)] : undefined;
    else value = isObject(value) ? get(value, part) : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

function read(root: Json, path: readonly string[], op: string): Json {
  const value = tryRead(root, path);
  if (value === undefined) throw missing(op, path);
  return value;
}

function add(root: Json, path: readonly string[], value: Json, op: string): Json {
  if (path.length === 0) return value;
  const parent = read(root, path.slice(0, -1), op);
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent))
    parent.splice(last === '-' ? parent.length : indexOf(last, parent.length, path, op), 0, value);
  else if (isObject(parent)) set(parent, last, value);
  else throw missing(op, path);
  return root;
}

function remove(root: Json, path: readonly string[], op: string): Json {
  if (path.length === 0) throw new PatchError('unprocessable', `${op} operation cannot remove the whole object`);
  const parent = read(root, path.slice(0, -1), op);
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent.splice(indexOf(last, parent.length - 1, path, op), 1);
  else if (isObject(parent) && get(parent, last) !== undefined) delete parent[last];
  else throw missing(op, path);
  return root;
}

function replace(root: Json, path: readonly string[], value: Json): Json {
  if (path.length === 0) return value;
  read(root, path, 'replace');
  const parent = read(root, path.slice(0, -1), 'replace') as Json[] | JsonObject;
  const last = path.at(-1) ?? '';
  if (Array.isArray(parent)) parent[Number(last)] = value;
  else set(parent, last, value);
  return root;
}

function indexOf(part: string, highest: number, path: readonly string[], op: string): number {
  if (!/^(?:0|[1-9]\d*)$/.test(part) || Number(part) > highest) {
    throw new PatchError('unprocessable', `${op} operation: index ${part} of ${text(path)} is out of bounds`);
  }
  return Number(part);
}

function missing(op: string, path: readonly string[]): PatchError {
  return new PatchError(
    'unprocessable',
    `${op} operation does not apply: doc is missing path: ${text(path)}: missing value`,
  );
}

function text(path: readonly string[]): string {
  return path.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
