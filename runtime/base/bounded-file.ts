import { closeSync, constants, fstatSync, openSync, promises, readSync, realpathSync } from 'node:fs';
import { isAbsolute, sep } from 'node:path';

/** Limits of a file that is read. */
export interface BoundedFileOptions {
  /** Bytes; reading refuses a longer file, whatever size the file system reports. */
  readonly maxBytes: number;
  /** Where the file must lie once links are followed. @default anywhere, for a path that the program's own configuration names */
  readonly directories?: readonly string[];
  readonly signal?: AbortSignal;
}

/** Files without an end, or that stand for something else. */
const systemDirectories = ['/proc', '/sys', '/dev'];
/** Settings, tokens and certificate authorities take some thousand. */
const mostBytesOfSettings = 1024 * 1024;
const partBytes = 65_536;
// A pipe without a writer must not block, and a file that was just replaced by a link must not be followed.
const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW;
const notInVolume = 'it is no file of a volume';
const notRegular = 'it is no regular file';
const tooLong = (maxBytes: number) => `it is longer than ${maxBytes} bytes`;

/** Reads a regular file: no pipe, no device, none of /proc, at most so many bytes. Throws an Error with the reason. */
export async function readBoundedFile(path: string, options: BoundedFileOptions): Promise<Buffer> {
  const { directories, maxBytes, signal } = options;
  if (!isAbsolute(path) && directories) throw new Error('the path is not absolute');
  const real = await promises.realpath(path);
  if (within(real, systemDirectories)) throw new Error(notInVolume);
  if (directories) {
    const allowed = await Promise.all(directories.map((each) => promises.realpath(each).catch(() => undefined)));
    if (!within(real, allowed)) throw new Error('it lies in no directory from which files may be read');
  }
  const file = await promises.open(real, flags);
  try {
    if (!(await file.stat()).isFile()) throw new Error(notRegular);
    return await readAll(file, maxBytes, signal);
  } finally {
    await file.close();
  }
}

/**
 * The same without waiting, for paths that an administrator names and that are read where nothing can wait. The system's
 * errors keep their `code`.
 */
export function readBoundedTextSync(path: string, maxBytes: number = mostBytesOfSettings): string {
  const real = realpathSync(path);
  if (within(real, systemDirectories)) throw new Error(notInVolume);
  const file = openSync(real, flags);
  try {
    if (!fstatSync(file).isFile()) throw new Error(notRegular);
    const parts: Buffer[] = [];
    for (let length = 0; ; ) {
      const part = Buffer.alloc(Math.min(partBytes, maxBytes + 1 - length));
      const bytesRead = readSync(file, part, 0, part.length, null);
      if (bytesRead === 0) return Buffer.concat(parts).toString('utf8');
      length += bytesRead;
      if (length > maxBytes) throw new Error(tooLong(maxBytes));
      parts.push(part.subarray(0, bytesRead));
    }
  } finally {
    closeSync(file);
  }
}

async function readAll(file: promises.FileHandle, maxBytes: number, signal: AbortSignal | undefined): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let length = 0; ; ) {
    signal?.throwIfAborted();
    const part = Buffer.alloc(Math.min(partBytes, maxBytes + 1 - length));
    const { bytesRead } = await file.read(part, 0, part.length, null);
    if (bytesRead === 0) return Buffer.concat(parts);
    length += bytesRead;
    if (length > maxBytes) throw new Error(tooLong(maxBytes));
    parts.push(part.subarray(0, bytesRead));
  }
}

function within(path: string, directories: readonly (string | undefined)[]): boolean {
  return directories.some(
    (each) => each !== undefined && (path === each || path.startsWith(each.replace(/\/$/, '') + sep)),
  );
}
