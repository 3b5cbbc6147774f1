/** What the executable uses of Bun (bun.com/docs/runtime/ffi, bun.com/docs/runtime/networking/tcp). */
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
  export function ptr(bytes: Buffer): number;
  export const read: { i32(pointer: number, offset: number): number };
}

declare module 'bun' {
  interface Socket {
    /** How many bytes were taken; negative where the socket is closed. */
    write(data: Uint8Array): number;
    /** Ends what is written; what comes is still read. */
    shutdown(): void;
  }
  interface SocketHandler {
    open(socket: Socket): void;
    drain(socket: Socket): void;
    /** The bytes are the handler's for this call only. */
    data(socket: Socket, part: Uint8Array): void;
    error(socket: Socket, error: Error): void;
    close(socket: Socket): void;
  }
  /** Rejects where there is no connection. */
  export function connect(options: { readonly unix: string; readonly socket: SocketHandler }): Promise<Socket>;
}
