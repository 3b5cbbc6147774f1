const errorResponse = 0x45;
const noticeResponse = 0x4e;

/** Bytes of an error or notice that are checked, and so the most that it may have. */
const mostBytes = 64 * 1024;

/**
 * Checks the errors and notices among a server's messages, which come in chunks of any size: the parser of the driver
 * searches the end of their fields for ever where the message has none, and nothing else runs in the process then.
 */
export class MessageCheck {
  #header = Buffer.alloc(0);
  /** Bytes of the current message that are still to come. */
  #left = 0;
  /** What has come of an error or notice. */
  #fields: Buffer[] | undefined;

  /** Throws Error for a message that the parser must not see. */
  check(chunk: Buffer): void {
    let rest = chunk;
    while (rest.length > 0) {
      if (this.#left > 0) rest = this.#takeBody(rest);
      else rest = this.#takeHeader(rest);
    }
  }

  #takeHeader(chunk: Buffer): Buffer {
    const missing = 5 - this.#header.length;
    this.#header = Buffer.concat([this.#header, chunk.subarray(0, missing)]);
    if (this.#header.length === 5) {
      const length = this.#header.readUInt32BE(1);
      const [code] = this.#header;
      const isChecked = code === errorResponse || code === noticeResponse;
      if (length < 4 || (isChecked && (length === 4 || length > mostBytes)))
        throw new Error('a message of wrong length');
      this.#left = length - 4;
      this.#fields = isChecked ? [] : undefined;
      this.#header = Buffer.alloc(0);
    }
    return chunk.subarray(missing);
  }

  #takeBody(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.length;
    this.#fields?.push(part);
    if (this.#left === 0 && this.#fields) checkFields(Buffer.concat(this.#fields));
    return chunk.subarray(part.length);
  }
}

/** Each field is a letter and a text that ends with NUL; a NUL in place of the letter ends the fields. */
function checkFields(body: Buffer): void {
  let at = 0;
  while (at < body.length) {
    if (body[at] === 0) return;
    const end = body.indexOf(0, at + 1);
    if (end === -1) break;
    at = end + 1;
  }
  throw new Error('an error without its end');
}
