import { lstatSync, mkdirSync, unlinkSync } from 'node:fs';
import type { Server } from 'node:net';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { AzimuthError, messageOf } from '../../base/errors.ts';

/**
 * Listens on a Unix socket that only root can connect to: connecting needs write permission, and the socket's mode is
 * 0600 from its creation on. Replaces the socket of an earlier daemon, unless a process still serves it. Throws
 * AZ_CONFIG_INVALID where the path cannot be used.
 */
export async function listenForRoot(server: Server, path: string): Promise<void> {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    refuseForeignDirectory(dirname(path));
    if (await isServed(path)) throw new Error('another program listens on it');
    removeLeftSocket(path);
    await new Promise<void>((resolve, reject) => {
      const before = process.umask(0o177);
      try {
        // Bound within this call, so the mask holds for this socket only.
        server.once('error', reject).listen({ path, exclusive: true }, resolve);
      } finally {
        process.umask(before);
      }
    });
  } catch (cause) {
    throw new AzimuthError(
      'AZ_CONFIG_INVALID',
      `The host socket ${path} cannot be served: ${messageOf(cause)}; set --host-socket to a path in a directory of root`,
      { cause },
    );
  }
}

/** Throws where others may write the directory: they could replace the socket. */
function refuseForeignDirectory(directory: string): void {
  const { uid, mode } = lstatSync(directory);
  const processUid = process.getuid?.() ?? 0;
  if (uid !== 0 && uid !== processUid) throw new Error(`its directory belongs to user ${uid}`);
  if ((mode & 0o022) !== 0) throw new Error('others may write its directory');
}

function removeLeftSocket(path: string): void {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return;
  if (!stat.isSocket()) throw new Error('it exists and is no socket');
  unlinkSync(path);
}

function isServed(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ path });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
