/** Archives whose bytes depend on their content alone: no times of files, no owners, the order of the names. */
import { gzipSync } from 'node:zlib';

/** Content by path. Paths have at most 100 bytes. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

const block = 512;

/**
 * A ustar archive, each file with the time, in seconds since 1970, and mode 0644, or 0755 for `executables`.
 *
 * @throws for a path that is too long
 */
export function tar(files: Files, time: number, executables: readonly string[] = []): Buffer {
  const parts = Object.entries(files)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, content]) => {
      const bytes = Buffer.from(content);
      return [
        header(path, bytes.length, time, executables.includes(path) ? 0o755 : 0o644),
        bytes,
        Buffer.alloc(-bytes.length & (block - 1)),
      ];
    });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** The same, compressed. */
export function tarGz(files: Files, time: number, executables: readonly string[] = []): Buffer {
  const compressed = gzipSync(tar(files, time, executables));
  // RFC 1952: byte 9 names the operating system; 255 is unknown. zlib writes no time.
  compressed[9] = 255;
  return compressed;
}

function header(path: string, size: number, time: number, mode: number): Buffer {
  if (Buffer.byteLength(path) > 100) throw new Error(`The path ${path} is longer than 100 bytes, which ustar allows`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, length: number) => `${value.toString(8).padStart(length - 1, '0')}\0`;
  const put = (text: string, offset: number) => bytes.write(text, offset, 'utf8');
  put(path, 0);
  put(octal(mode, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(size, 12), 124);
  put(octal(time, 12), 136);
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\x0000', 257);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return bytes;
}
