const newline = 0x0a;

/**
 * Cuts a stream of bytes into lines of text. Bytes are decoded once per line, so UTF-8 sequences may cross chunk
 * borders; a line within one chunk is not copied before decoding, and a line over many chunks is joined once.
 */
export class LineSplitter {
  #parts: Buffer[] = [];

  /** The lines that `chunk` completes, without their newline; blank ones are left out. */
  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#take(chunk.subarray(start, end));
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
  }

  /** What follows the last newline. */
  rest(): string {
    return this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString('utf8').trim();
    this.#parts.push(last);
    const line = Buffer.concat(this.#parts).toString('utf8').trim();
    this.#parts = [];
    return line;
  }
}
