import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

/**
 * The Secrets Store CSI driver up to 1.5 sends the path of the socket as the `:authority` of its requests (its issue
 * 1862). Node's HTTP/2 refuses that with PROTOCOL_ERROR (RFC 9113 8.3.1), and no setting changes it. This stream
 * replaces it with a host of the same length, so that the sizes of the HPACK table (RFC 7541 4.1) stay as the sender
 * counts them. gRPC does not route by it.
 */
export class PlainAuthority extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    const replaced = authorityFilter();
    socket.on('data', (part: Buffer) => {
      const rewritten = replaced(part).map((passed) => this.push(passed));
      if (rewritten.includes(false)) socket.pause();
    });
    socket.on('end', () => this.push(null));
    socket.on('error', (error) => this.destroy(error));
    socket.on('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, done);
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: (error?: Error | null) => void): void {
    // The frames of an answer in one system call.
    this.#socket.cork();
    for (const [index, { chunk }] of chunks.entries()) {
      this.#socket.write(chunk, index === chunks.length - 1 ? done : undefined);
    }
    this.#socket.uncork();
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}

const prefaceBytes = 24;
const frameHeaderBytes = 9;
const headersType = 1;
const paddedFlag = 0x8;
const priorityFlag = 0x20;
/** Default SETTINGS_MAX_FRAME_SIZE of a server, in bytes: a longer frame ends the connection. */
const longestFrame = 16_384;

/**
 * A filter for the bytes of one client connection, in chunks of any size; returns the bytes to pass on. It keeps the
 * header of a frame that has begun, and of HEADERS the whole frame: a request of half a megabyte passes without a copy.
 */
export function authorityFilter(): (part: Buffer) => Buffer[] {
  let plain = prefaceBytes;
  let begun: Buffer = Buffer.alloc(0);
  return (part) => {
    const passed: Buffer[] = [];
    let rest = part;
    const take = (length: number): Buffer => {
      const taken = rest.subarray(0, length);
      rest = rest.subarray(taken.length);
      return taken;
    };
    while (rest.length > 0) {
      if (plain > 0) {
        const taken = take(plain);
        plain -= taken.length;
        passed.push(taken);
        continue;
      }
      begun = Buffer.concat([begun, take(missingOf(begun))]);
      if (begun.length < frameHeaderBytes) continue;
      const length = begun.readUIntBE(0, 3);
      const isHeaders = begun[3] === headersType && length <= longestFrame;
      if (isHeaders && missingOf(begun) > 0) continue;
      passed.push(isHeaders ? withPlainAuthority(begun) : begun);
      if (!isHeaders) plain = length <= longestFrame ? length : Number.POSITIVE_INFINITY;
      begun = Buffer.alloc(0);
    }
    return passed;
  };
}

/** Bytes that a frame still needs: to the end of its header, then to its own end. */
function missingOf(begun: Buffer): number {
  if (begun.length < frameHeaderBytes) return frameHeaderBytes - begun.length;
  return frameHeaderBytes + begun.readUIntBE(0, 3) - begun.length;
}

function withPlainAuthority(frame: Buffer): Buffer {
  const flags = frame[4] ?? 0;
  const padding = flags & paddedFlag ? (frame[frameHeaderBytes] ?? 0) : 0;
  const start = frameHeaderBytes + (flags & paddedFlag ? 1 : 0) + (flags & priorityFlag ? 5 : 0);
  const end = frame.length - padding;
  if (end <= start) return frame;
  const block = plainBlock(frame.subarray(start, end));
  const changed = Buffer.concat([frame.subarray(0, start), block, frame.subarray(end)]);
  if (changed.length - frameHeaderBytes > longestFrame) return frame;
  changed.writeUIntBE(changed.length - frameHeaderBytes, 0, 3);
  return changed;
}

/** Index of `:authority` in HPACK's static table (RFC 7541, appendix A). */
const authorityIndex = 1;

/** Replaces the authority in a header block (RFC 7541 6). Returns a truncated block unchanged. */
function plainBlock(block: Buffer): Buffer {
  let at = 0;
  const integer = (bits: number): number => {
    const most = 2 ** bits - 1;
    let value = byte() & most;
    if (value < most) return value;
    for (let factor = 1; ; factor *= 128) {
      const next = byte();
      value += (next & 0x7f) * factor;
      if (next < 0x80) return value;
    }
  };
  const byte = (): number => {
    const value = block[at++];
    if (value === undefined) throw new RangeError('the block ends within a header');
    return value;
  };
  const text = (): { readonly huffman: boolean; readonly bytes: Buffer } => {
    const huffman = ((block[at] ?? 0) & 0x80) !== 0;
    const length = integer(7);
    if (length > block.length - at) throw new RangeError('the block ends within a text');
    at += length;
    return { huffman, bytes: block.subarray(at - length, at) };
  };
  try {
    while (at < block.length) {
      const first = block[at] ?? 0;
      if (first & 0x80) integer(7);
      else if ((first & 0xe0) === 0x20) integer(5);
      else {
        const name = integer(first & 0x40 ? 6 : 4);
        if (name === 0) text();
        const start = at;
        const { huffman, bytes } = text();
        if (name !== authorityIndex) continue;
        const length = huffman ? huffmanLength(bytes) : bytes.length;
        return Buffer.concat([block.subarray(0, start), plainText(length), block.subarray(at)]);
      }
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return block;
}

/** A host of `length` characters, as an HPACK string literal. */
function plainText(length: number): Buffer {
  const host = Buffer.from('localhost'.padEnd(length, 't').slice(0, length));
  const prefix: number[] = [Math.min(length, 127)];
  let rest = length - 127;
  if (rest >= 0) {
    for (; rest >= 128; rest = Math.floor(rest / 128)) prefix.push((rest % 128) | 0x80);
    prefix.push(rest);
  }
  return Buffer.concat([Buffer.from(prefix), host]);
}

/** Number of HPACK codes of each length from 5 to 30 bits (RFC 7541, appendix B), which orders codes by length. */
const codesOfLength = [10, 26, 32, 6, 0, 5, 3, 2, 6, 2, 3, 0, 0, 0, 3, 8, 13, 26, 29, 12, 4, 15, 19, 29, 0, 4];

/** Number of characters of a Huffman-coded text, without decoding them. */
function huffmanLength(bytes: Buffer): number {
  let characters = 0;
  let [code, bits, first] = [0, 0, 0];
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      code = code * 2 + ((byte >> bit) & 1);
      first *= 2;
      bits++;
      const codes = codesOfLength[bits - 5] ?? 0;
      if (code - first >= codes) {
        first += codes;
        continue;
      }
      characters++;
      [code, bits, first] = [0, 0, 0];
    }
  }
  return characters;
}
