/** The part of Bun's API that the driver uses (bun.com/docs/runtime/ffi, bun.com/docs/runtime/networking/tcp). */
declare module 'bun:ffi' {
  type Argument = 'ptr' | 'i32' | 'u64';
  interface Signature {
    readonly args: readonly Argument[];
    readonly returns: 'ptr' | 'i32';
  }
  /** Bun passes a Buffer as the address of its first byte. */
  type Call = (...args: (Buffer | number | bigint | null)[]) => number;
  export function dlopen<const S extends Readonly<Record<string, Signature>>>(
    library: string,
    symbols: S,
  ): { readonly symbols: { readonly [name in keyof S]: Call } };
  export function ptr(bytes: Buffer): number;
  export const read: { i32(pointer: number, offset: number): number };
}

declare module 'bun' {
  interface Socket {
    /** Returns the number of accepted bytes; negative where the socket is closed. */
    write(data: Uint8Array): number;
    /** Closes the writing side; reading continues. */
    shutdown(): void;
  }
  interface SocketHandler {
    open(socket: Socket): void;
    drain(socket: Socket): void;
    /** `part` is valid during this call only. */
    data(socket: Socket, part: Uint8Array): void;
    error(socket: Socket, error: Error): void;
    close(socket: Socket): void;
  }
  /** Connects; rejects where it cannot. */
  export function connect(options: { readonly unix: string; readonly socket: SocketHandler }): Promise<Socket>;
}
