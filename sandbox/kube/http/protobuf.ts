import fields from '../generated/protobuf-fields.json' with { type: 'json' };
import { badRequest } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';

/**
 * Decodes `application/vnd.kubernetes.protobuf` bodies: kubectl sends objects that it creates from flags this way. The
 * table has, for each message, number, JSON name ('' = its members belong to the parent) and type of every field.
 * Types: string, bool, int, bytes, a message, `list:T`, `map:T` (string keys), `items:T` (a list wrapped in a message),
 * and the ones with a JSON form of their own below; a final `?` marks a member that JSON has even where it is zero.
 */
type FieldRow = readonly [number: number, name: string, type: string];
const table = fields as unknown as Readonly<Record<string, readonly FieldRow[]>>;
const byNumber = new Map<string, ReadonlyMap<number, FieldRow>>();
const magic = Buffer.from('k8s\0');

interface Wire {
  readonly number: number;
  /** A varint or fixed value, or the bytes of a length-delimited field. */
  readonly value: bigint | Buffer;
}

const broken = (why: string) => badRequest(`couldn't decode the protobuf body: ${why}`);

function* read(bytes: Buffer): Iterable<Wire> {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = bytes[at];
      if (byte === undefined) throw broken('it ends within a number');
      at += 1;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw broken('a number is too long');
  };
  const take = (length: number): Buffer => {
    if (length < 0 || at + length > bytes.length) throw broken('it ends within a field');
    at += length;
    return bytes.subarray(at - length, at);
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const number = tag >>> 3;
    const kind = tag & 7;
    if (kind === 0) yield { number, value: varint() };
    else if (kind === 1) yield { number, value: take(8).readBigInt64LE() };
    else if (kind === 2) yield { number, value: take(Number(varint())) };
    else if (kind === 5) yield { number, value: BigInt(take(4).readInt32LE()) };
    else throw broken(`wire type ${kind} is not known`);
  }
}

const numbers = (bytes: Buffer) => new Map([...read(bytes)].map(({ number, value }) => [number, value]));
const asBuffer = (value: bigint | Buffer | undefined) => (Buffer.isBuffer(value) ? value : Buffer.alloc(0));
const asNumber = (value: bigint | Buffer | undefined) => (typeof value === 'bigint' ? Number(value) : 0);

/** Messages whose JSON is not an object of their fields. Undefined = absent. */
const scalars: Record<string, (bytes: Buffer) => unknown> = {
  time: (bytes) => timestamp(bytes, false),
  microtime: (bytes) => timestamp(bytes, true),
  quantity: (bytes) => asBuffer(numbers(bytes).get(1)).toString(),
  intorstring: (bytes) => {
    const found = numbers(bytes);
    return asNumber(found.get(1)) === 0 ? asNumber(found.get(2)) : asBuffer(found.get(3)).toString();
  },
  raw: (bytes) => JSON.parse(asBuffer(numbers(bytes).get(1)).toString() || 'null'),
  fields: (bytes) => JSON.parse(asBuffer(numbers(bytes).get(1)).toString() || '{}'),
};

function timestamp(bytes: Buffer, micro: boolean): string | undefined {
  const found = numbers(bytes);
  if (found.size === 0) return undefined;
  const seconds = asNumber(found.get(1));
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  return micro ? `${text}.${String(Math.floor(asNumber(found.get(2)) / 1000)).padStart(6, '0')}Z` : `${text}Z`;
}

function message(name: string, bytes: Buffer): Unstructured {
  let rows = byNumber.get(name);
  if (!rows) {
    rows = new Map((table[name] ?? []).map((row) => [row[0], row]));
    byNumber.set(name, rows);
  }
  const object: Unstructured = {};
  for (const { number, value } of read(bytes)) {
    const row = rows.get(number);
    if (!row) continue; // a field of a newer release
    const [, member, notation] = row;
    const keepsZero = notation.endsWith('?');
    const type = keepsZero ? notation.slice(0, -1) : notation;
    if (type.startsWith('list:')) {
      object[member] = [...(object[member] ?? []), decoded(type.slice(5), value)];
    } else if (type.startsWith('map:')) {
      const entry = numbers(asBuffer(value));
      const key = asBuffer(entry.get(1)).toString();
      object[member] = { ...object[member], [key]: decoded(type.slice(4), entry.get(2) ?? Buffer.alloc(0)) };
    } else {
      const part = decoded(type, value);
      if (member === '') Object.assign(object, part);
      else if (keepsZero || !isZero(part)) object[member] = part;
    }
  }
  return object;
}

function decoded(type: string, value: bigint | Buffer): unknown {
  if (type === 'int') return asNumber(value);
  if (type === 'bool') return asNumber(value) !== 0;
  const bytes = asBuffer(value);
  if (type === 'string') return bytes.toString();
  if (type === 'bytes') return bytes.toString('base64');
  if (type.startsWith('items:')) return [...read(bytes)].map((item) => decoded(type.slice(6), item.value));
  return scalars[type] ? scalars[type](bytes) : message(type, bytes);
}

const isZero = (value: unknown) =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** The object of a body: an envelope (runtime.Unknown) around the message of its apiVersion and kind. Throws 400. */
export function decodeProtobuf(body: Buffer): Unstructured {
  if (!body.subarray(0, 4).equals(magic)) throw broken('it does not begin with the Kubernetes magic number');
  const envelope = numbers(body.subarray(4));
  const typeMeta = numbers(asBuffer(envelope.get(1)));
  const apiVersion = asBuffer(typeMeta.get(1)).toString();
  const kind = asBuffer(typeMeta.get(2)).toString();
  const home = apiVersion === 'v1' ? 'core/v1' : apiVersion;
  const name = kind === 'DeleteOptions' ? 'meta/v1.DeleteOptions' : `${home}.${kind}`;
  if (!table[name]) throw broken(`no fields are known for kind "${kind}" of "${apiVersion}"; send JSON`);
  return { apiVersion, kind, ...message(name, asBuffer(envelope.get(2))) };
}
