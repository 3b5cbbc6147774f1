/**
 * The part of the protocol buffers encoding that the provider's messages use: texts, bytes, small numbers and nested
 * messages. Unknown fields are skipped (https://protobuf.dev/programming-guides/encoding/).
 */

/** One decoded field of a message. */
export interface Field {
  readonly number: number;
  /** A number for a varint, bytes for a length-delimited field. */
  readonly value: number | Buffer;
}

/** The fields of a message in their order. Throws RangeError for malformed bytes. */
export function* fieldsOf(message: Buffer): Generator<Field> {
  let offset = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = message[offset++];
      if (byte === undefined) throw new RangeError('the message ends within a number');
      // Ten bytes hold 64 bits; no number of these messages needs more than 53.
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number of the message has no end');
  };
  const bytes = (length: number): Buffer => {
    if (length > message.length - offset) throw new RangeError('the message ends within a field');
    offset += length;
    return message.subarray(offset - length, offset);
  };
  while (offset < message.length) {
    const tag = varint();
    const number = Math.floor(tag / 8);
    switch (tag % 8) {
      case 0:
        yield { number, value: varint() };
        break;
      case 1:
        bytes(8);
        break;
      case 2:
        yield { number, value: bytes(varint()) };
        break;
      case 5:
        bytes(4);
        break;
      default:
        throw new RangeError('the message has a field of an unknown kind');
    }
  }
}

/** The UTF-8 text of a field; '' for a number. */
export function textOf({ value }: Field): string {
  return typeof value === 'number' ? '' : value.toString('utf8');
}

/** Encodes a length-delimited field. Omits an empty one unless `always`, which elements of lists need. */
export function lengthField(number: number, value: string | Buffer, always = false): Buffer {
  const content = typeof value === 'string' ? Buffer.from(value) : value;
  if (content.length === 0 && !always) return content;
  return Buffer.concat([Buffer.from([...varintOf(number * 8 + 2), ...varintOf(content.length)]), content]);
}

/** Encodes a varint field of a number from 0; omits 0. */
export function numberField(number: number, value: number): Buffer {
  return value === 0 ? Buffer.alloc(0) : Buffer.from([...varintOf(number * 8), ...varintOf(value)]);
}

function varintOf(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 0x80);
  bytes.push(rest);
  return bytes;
}
