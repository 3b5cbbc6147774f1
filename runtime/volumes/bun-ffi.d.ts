/** What system-mounts.ts uses of Bun's foreign functions (bun.com/docs/runtime/ffi). */
declare module 'bun:ffi' {
  type Argument = 'ptr' | 'i32' | 'u64';
  interface Signature {
    readonly args: readonly Argument[];
    readonly returns: 'ptr' | 'i32';
  }
  /** A Buffer goes as the address of its first byte. */
  type Call = (...args: (Buffer | number | bigint | null)[]) => number;
  export function dlopen<const S extends Readonly<Record<string, Signature>>>(
    library: string,
    symbols: S,
  ): { readonly symbols: { readonly [name in keyof S]: Call } };
  export const read: { i32(pointer: number, offset: number): number };
}
