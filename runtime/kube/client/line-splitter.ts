const newline = 0x0a;
/** An object of Kubernetes has 3 MiB at most; a line that is much longer is no event. */
const MAX_LINE_BYTES = 16 * 1024 * 1024;

/**
 * Cuts a stream of bytes into lines of text. Bytes are decoded once per line, so UTF-8 sequences may cross chunk
 * borders; a line within one chunk is not copied before decoding, and a line over many chunks is joined once.
 */
export class LineSplitter {
  #parts: Buffer[] = [];
  #bytes = 0;

  /** Bytes of the line that is not complete. */
  get pending(): number {
    return this.#bytes;
  }

  /** The lines that `chunk` completes, without their newline; blank ones are left out. Throws for a line without end. */
  push(chunk: Buffer): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const line = this.#take(chunk.subarray(start, end));
      start = end + 1;
      if (line !== '') lines.push(line);
    }
    if (start === chunk.length) return lines;
    this.#parts.push(chunk.subarray(start));
    this.#bytes += chunk.length - start;
    if (this.#bytes > MAX_LINE_BYTES) throw new Error(`a line is longer than ${MAX_LINE_BYTES} bytes`);
    return lines;
  }

  /** The text after the last newline. */
  rest(): string {
    return this.#take(Buffer.alloc(0));
  }

  #take(last: Buffer): string {
    if (this.#parts.length === 0) return last.toString('utf8').trim();
    this.#parts.push(last);
    const line = Buffer.concat(this.#parts).toString('utf8').trim();
    this.#parts = [];
    this.#bytes = 0;
    return line;
  }
}
