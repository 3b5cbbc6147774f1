/** Archives whose bytes depend on their content alone: no times of files, no owners, the order of the names. */
import { gzipSync } from 'node:zlib';
import { Header, Parser } from 'tar';

/** Content by path. */
export type Files = Readonly<Record<string, string | Uint8Array>>;

/** A member of an archive. */
export interface Entry {
  /** Relative, without a slash at its end. */
  readonly path: string;
  readonly type: 'File' | 'Directory' | 'SymbolicLink';
  /** Permissions. */
  readonly mode: number;
  /** Of a file. */
  readonly content?: string | Uint8Array;
  /** Where a link points to. */
  readonly linkpath?: string;
}

const block = 512;

/**
 * A ustar archive of files, each with the time, in seconds since 1970, and mode 0644, or 0755 for `executables`.
 *
 * @throws for a path that ustar cannot hold
 */
export function tar(files: Files, time: number, executables: readonly string[] = []): Buffer {
  const mode = (path: string) => (executables.includes(path) ? 0o755 : 0o644);
  return tarOf(
    Object.entries(files).map(([path, content]) => ({ path, type: 'File', mode: mode(path), content })),
    time,
  );
}

/** The same of any members, which belong to root. */
export function tarOf(entries: readonly Entry[], time: number): Buffer {
  const parts = entries
    .toSorted((a, b) => (a.path < b.path ? -1 : 1))
    .flatMap((entry) => {
      const bytes = Buffer.from(entry.content ?? '');
      return [header(entry, bytes.length, time), bytes, Buffer.alloc(-bytes.length & (block - 1))];
    });
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

/** The same as `tar`, compressed. */
export function tarGz(files: Files, time: number, executables: readonly string[] = []): Buffer {
  return gzip(tar(files, time, executables));
}

/** The bytes, compressed. */
export function gzip(bytes: Uint8Array): Buffer {
  const compressed = gzipSync(bytes);
  // RFC 1952: byte 9 names the operating system; 255 is unknown. zlib writes no time.
  compressed[9] = 255;
  return compressed;
}

/** The members of an archive, which may be compressed by gzip. @throws for one that is no file, directory or link */
export async function readTar(archive: Uint8Array): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const { type, mode = 0, linkpath } = entry;
      const path = entry.path.replace(/^\.\//, '').replace(/\/$/, '');
      const parts: Buffer[] = [];
      entry.on('data', (part) => parts.push(part));
      entry.on('end', () => {
        if (type === 'File') entries.push({ path, type, mode, content: Buffer.concat(parts) });
        else if (type === 'Directory') entries.push({ path, type, mode });
        else if (type === 'SymbolicLink') entries.push({ path, type, mode, linkpath: linkpath ?? '' });
        else reject(new Error(`${path} of the archive is a ${type}: expected a file, directory or symbolic link`));
      });
    },
  });
  parser.on('end', resolve);
  parser.on('error', reject);
  parser.end(Buffer.from(archive));
  await promise;
  return entries;
}

function header({ path, type, mode, linkpath }: Entry, size: number, time: number): Buffer {
  const header = new Header({
    path: type === 'Directory' ? `${path}/` : path,
    type,
    mode,
    uid: 0,
    gid: 0,
    size,
    mtime: new Date(time * 1000),
    ...(linkpath !== undefined && { linkpath }),
  });
  header.encode();
  if (header.needPax || !header.block) throw new Error(`A ustar archive cannot hold the path ${path}`);
  return header.block;
}
