import type { Readable } from 'node:stream';
import { errors } from 'undici';

/** Limits of a body that is read whole. */
export interface BodyLimits {
  /** Bytes that are read at most. @default 8 MiB, twice the longest answer of Azure Resource Manager */
  readonly maxBytes?: number;
  /** Milliseconds from the first read to the end of the body. @default 120000 */
  readonly withinMs?: number;
  /** A body that is longer than so many bytes is read on once `enter` resolves. @default none waits */
  readonly large?: { readonly bytes: number; readonly enter: () => Promise<void> };
}

const MIB = 1024 * 1024;
/** A new connection costs less than reading more than this to its end. */
const DUMP_BYTES = 64 * 1024;

/** An answer is longer than its reader accepts; the connection is closed. */
export class BodyTooLarge extends Error {
  constructor(maxBytes: number) {
    const limit = maxBytes >= MIB ? `${Math.floor(maxBytes / MIB)} MiB` : `${maxBytes} bytes`;
    super(`the answer is longer than ${limit}, the limit of this client`);
  }
}

/** Throws the error without the received bytes, since a log line with the error would show a secret. */
export function withoutBytes(error: unknown): never {
  hideBytes(error);
  throw error;
}

function hideBytes(error: unknown): void {
  // Of an answer that is no HTTP, undici keeps the bytes here.
  if (error instanceof errors.HTTPParserError) delete (error as { data?: unknown }).data;
}

/** The body of an answer, read once: as a whole, or piece by piece by `for await`, which frees the connection when left. */
export class HttpBody implements AsyncIterable<Buffer> {
  readonly #stream: Readable;

  constructor(stream: Readable) {
    this.#stream = stream;
    // Until a caller reads the body, a failure has no listener.
    stream.on('error', (error: Error & { readonly code?: string }) => {
      if (error.code === 'UND_ERR_SOCKET') error.message = 'the connection ended in the middle of the answer';
      hideBytes(error);
    });
  }

  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Buffer> {
    return this.#stream[Symbol.asyncIterator]();
  }

  /** The whole body as text. A body that is too long, or takes too long, rejects and closes the connection. */
  text({ maxBytes = 8 * MIB, withinMs = 120_000, large }: BodyLimits = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      let chunks: Buffer[] = [];
      let bytes = 0;
      if (stream.errored) reject(stream.errored);
      else if (stream.destroyed || stream.readableEnded) reject(new Error('the answer was read before, or aborted'));
      const timer = setTimeout(
        () => stream.destroy(new Error(`the answer did not end within ${withinMs} ms`)),
        withinMs,
      );
      // The connection keeps the answer until its next one, and with it these listeners.
      const forget = () => {
        clearTimeout(timer);
        chunks = [];
      };
      stream.on('data', (chunk: Buffer) => {
        const before = bytes;
        bytes += chunk.length;
        if (bytes <= maxBytes) chunks.push(chunk);
        else stream.destroy(new BodyTooLarge(maxBytes));
        if (!large || before > large.bytes || bytes <= large.bytes) return;
        stream.pause();
        large.enter().then(
          () => stream.resume(),
          (error: Error) => stream.destroy(error),
        );
      });
      stream.once('error', (error) => {
        forget();
        reject(error);
      });
      stream.once('close', forget);
      stream.once('end', () => {
        resolve(Buffer.concat(chunks).toString('utf8'));
        forget();
      });
    });
  }

  /** Reads it to its end and forgets it, so that the connection can be used again; a long one closes the connection. */
  dump(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      let bytes = 0;
      stream.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
        if (bytes <= DUMP_BYTES) return;
        resolve();
        stream.destroy();
      });
      if (stream.errored) reject(stream.errored);
      if (stream.destroyed || stream.readableEnded) resolve();
      stream.once('error', reject);
      stream.once('end', resolve);
    });
  }
}
