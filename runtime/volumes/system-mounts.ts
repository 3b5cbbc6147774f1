import { dlopen, read } from 'bun:ffi';
import { AzimuthError } from '../base/errors.ts';
import { type Mounts, mountTable } from './mounts.ts';

// <sys/mount.h>, the same on every architecture.
const MS_NOSUID = 2n;
const MS_NODEV = 4n;
const MS_NOEXEC = 8n;
const MS_BIND = 4096n;

/** Mounting by mount(2) and umount2(2) of the C library. For the executable only, which is Bun's: Node has neither. */
export function systemMounts(): Mounts {
  const libc = dlopen('libc.so.6', {
    mount: { args: ['ptr', 'ptr', 'ptr', 'u64', 'ptr'], returns: 'i32' },
    umount2: { args: ['ptr', 'i32'], returns: 'i32' },
    __errno_location: { args: [], returns: 'ptr' },
  }).symbols;

  const check = async (result: number, failure: string) => {
    if (result === 0) return;
    // It is the last call's, so nothing may come between.
    const errno = read.i32(libc.__errno_location(), 0);
    const { constants } = await import('node:os');
    const name = Object.entries(constants.errno).find(([, value]) => value === errno)?.[0];
    throw new AzimuthError('AZ_VOLUME_MOUNT', `${failure}: ${name ?? `errno ${errno}`}`);
  };

  return {
    ...mountTable(),
    async tmpfs(directory, sizeBytes) {
      const flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
      const [name, target, data] = [text('tmpfs'), text(directory), text(`size=${sizeBytes},mode=0755`)];
      await check(libc.mount(name, target, name, flags, data), `The tmpfs at ${directory} cannot be mounted`);
    },
    async bind(from, to) {
      await check(libc.mount(text(from), text(to), null, MS_BIND, null), `${from} cannot be shown at ${to}`);
    },
    async unmount(directory) {
      await check(libc.umount2(text(directory), 0), `${directory} cannot be unmounted`);
    },
  };
}

function text(value: string): Buffer {
  // Cut there, it would be another path.
  if (value.includes('\0')) throw new AzimuthError('AZ_VOLUME_MOUNT', 'A path has a NUL character');
  return Buffer.from(`${value}\0`);
}
