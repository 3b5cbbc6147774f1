const inspect = Symbol.for('nodejs.util.inspect.custom');

/** What stands in the place of a secret. */
export const secretMark = '(secret)';

/** A secret on its way into a request body. Printing, logging or hashing it shows a mark only. */
export class SecretValue<T = unknown> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  /** The value, for the body of a request alone. */
  reveal(): T {
    return this.#value;
  }

  toJSON(): string {
    return secretMark;
  }

  toString(): string {
    return secretMark;
  }

  [inspect](): string {
    return secretMark;
  }
}
