const errorResponse = 0x45;
const noticeResponse = 0x4e;
const authentication = 0x52;
/** The kind of an authentication message that asks for the password as it is. */
const cleartextPassword = 3;

/** Bytes of a message that is checked, and so the most that it may have. */
const mostBytes = 64 * 1024;

/**
 * Checks messages of a server, which come in chunks of any size. Of errors and notices without an end the driver's parser
 * searches the end of the fields for ever, and nothing else runs in the process then. A request for the password as clear
 * text would get it: servers of Azure ask for SCRAM or MD5 (`azure.accepted_password_auth_method`).
 */
export class MessageCheck {
  #header = Buffer.alloc(0);
  /** Bytes of the current message that are still to come. */
  #left = 0;
  /** What has come of a message that is checked at its end. */
  #body: Buffer[] | undefined;
  #checkBody = checkFields;

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
      const isChecked = code === errorResponse || code === noticeResponse || code === authentication;
      if (length < 4 || (isChecked && (length === 4 || length > mostBytes)))
        throw new Error('a message of wrong length');
      this.#left = length - 4;
      this.#body = isChecked ? [] : undefined;
      this.#checkBody = code === authentication ? checkAuthentication : checkFields;
      this.#header = Buffer.alloc(0);
    }
    return chunk.subarray(missing);
  }

  #takeBody(chunk: Buffer): Buffer {
    const part = chunk.subarray(0, this.#left);
    this.#left -= part.length;
    this.#body?.push(part);
    if (this.#left === 0 && this.#body) this.#checkBody(Buffer.concat(this.#body));
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

function checkAuthentication(body: Buffer): void {
  if (body.length >= 4 && body.readUInt32BE(0) === cleartextPassword)
    throw new Error('the server asks for the password as clear text, and the operator does not send it so');
}
