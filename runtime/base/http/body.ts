import type { IncomingMessage } from 'node:http';

/** The body of an answer, read once: as a whole, or piece by piece by `for await`, which frees the connection when left. */
export class HttpBody implements AsyncIterable<Buffer> {
  readonly #stream: IncomingMessage;

  constructor(stream: IncomingMessage) {
    this.#stream = stream;
    // Until somebody reads it, a failure has no listener.
    stream.on('error', (error) => {
      if (error.message === 'aborted') error.message = 'the connection ended in the middle of the answer';
    });
  }

  [Symbol.asyncIterator](): NodeJS.AsyncIterator<Buffer> {
    return this.#stream[Symbol.asyncIterator]();
  }

  text(): Promise<string> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      let chunks: Buffer[] = [];
      if (stream.errored) reject(stream.errored);
      else if (stream.destroyed || stream.readableEnded) reject(new Error('the answer was read before, or given up'));
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.once('error', reject);
      stream.once('end', () => {
        resolve(Buffer.concat(chunks).toString('utf8'));
        // The connection keeps the answer until its next one, and with it this listener.
        chunks = [];
      });
    });
  }

  /** Reads it to its end and forgets it, so that the connection can be used again. */
  dump(): Promise<void> {
    return new Promise((resolve, reject) => {
      const stream = this.#stream;
      if (stream.errored) reject(stream.errored);
      if (stream.destroyed || stream.readableEnded) resolve();
      stream.once('error', reject);
      stream.once('end', resolve);
      stream.resume();
    });
  }
}
