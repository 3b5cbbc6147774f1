/** Writes protocol buffer messages field by field; a field is left out when its value is undefined. */
export class ProtobufWriter {
  readonly #parts: Uint8Array[] = [];

  finish(): Uint8Array {
    return Buffer.concat(this.#parts);
  }

  text(field: number, value: string | undefined): this {
    return value === undefined ? this : this.bytes(field, Buffer.from(value));
  }

  texts(field: number, values: readonly string[] | undefined): this {
    for (const value of values ?? []) this.text(field, value);
    return this;
  }

  message(field: number, value: ProtobufWriter | undefined): this {
    return value === undefined ? this : this.bytes(field, value.finish());
  }

  bytes(field: number, value: Uint8Array): this {
    this.#tag(field, 2);
    this.#varint(BigInt(value.length));
    this.#parts.push(value);
    return this;
  }

  flag(field: number, value: boolean | undefined): this {
    return value === true ? this.integer(field, 1) : this;
  }

  /** int32, int64 or bool. */
  integer(field: number, value: number | undefined): this {
    if (value === undefined) return this;
    this.#tag(field, 0);
    this.#varint(BigInt.asUintN(64, BigInt(value)));
    return this;
  }

  double(field: number, value: number | undefined): this {
    if (value === undefined) return this;
    this.#tag(field, 1);
    const part = Buffer.alloc(8);
    part.writeDoubleLE(value);
    this.#parts.push(part);
    return this;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(BigInt(field * 8 + wireType));
  }

  #varint(value: bigint): void {
    const out: number[] = [];
    let rest = value;
    while (rest > 127n) {
      out.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    out.push(Number(rest));
    this.#parts.push(Uint8Array.from(out));
  }
}
