import { dlopen, read } from 'bun:ffi';
import { closeSync, constants, openSync } from 'node:fs';
import { AzimuthError } from '../../base/errors.ts';
import { isMounted, type Mounts, mountsBelow, mountTable } from './mounts.ts';
import { mostInodes } from './volume-tmpfs.ts';

// <sys/mount.h>; the same on every architecture.
const MS_NOSUID = 2n;
const MS_NODEV = 4n;
const MS_NOEXEC = 8n;
const MS_BIND = 4096n;

// <linux/mount.h> and <asm/unistd.h>: the C library of older hosts lacks functions for these.
const SYS_MOVE_MOUNT = 429;
const SYS_FSOPEN = 430;
const SYS_FSCONFIG = 431;
const SYS_FSMOUNT = 432;
const FSOPEN_CLOEXEC = 1;
const FSCONFIG_SET_STRING = 1;
const FSCONFIG_CMD_CREATE = 6;
const FSMOUNT_CLOEXEC = 1;
const MOUNT_ATTR_NOSUID = 2;
const MOUNT_ATTR_NODEV = 4;
const MOUNT_ATTR_NOEXEC = 8;
const MOVE_MOUNT_F_EMPTY_PATH = 4;

// <sys/file.h> and EWOULDBLOCK of <asm/errno.h>.
const LOCK_EX = 2;
const LOCK_NB = 4;
const LOCKED = 11;

/** EPERM, EACCES and ENOSYS of <asm/errno.h>: answers of system call filters, security modules and older kernels. */
const DENIALS = [1, 13, 38];

/** The functions of the C library that mounts need, and their errors. */
class CLibrary {
  readonly symbols = dlopen('libc.so.6', {
    // Bun passes a number as `ptr` unchanged.
    syscall: { args: ['u64', 'ptr', 'ptr', 'ptr', 'ptr', 'ptr'], returns: 'i32' },
    mount: { args: ['ptr', 'ptr', 'ptr', 'u64', 'ptr'], returns: 'i32' },
    umount2: { args: ['ptr', 'i32'], returns: 'i32' },
    flock: { args: ['i32', 'i32'], returns: 'i32' },
    __errno_location: { args: [], returns: 'ptr' },
  }).symbols;

  /** The error number of a call; the next call overwrites it. */
  codeOf(result: number): number {
    return result < 0 ? read.i32(this.symbols.__errno_location(), 0) : 0;
  }

  /** The result of a call that succeeded. */
  check(result: number, failure: string, code = this.codeOf(result)): number {
    if (result >= 0) return result;
    const { constants } = process.getBuiltinModule('node:os');
    const name = Object.entries(constants.errno).find(([, value]) => value === code)?.[0];
    throw new AzimuthError('AZ_VOLUME_MOUNT', `${failure}: ${name ?? `errno ${code}`}`);
  }

  /** Undefined where the system lacks or denies the call, so that the caller uses another way. */
  unlessDenied(result: number, failure: string): number | undefined {
    const code = this.codeOf(result);
    return DENIALS.includes(code) ? undefined : this.check(result, failure, code);
  }
}

/** Mount operations by system calls of the C library. Only the Bun executable has them, not Node. */
export function systemMounts(): Mounts {
  const library = new CLibrary();
  const libc = library.symbols;
  return {
    isMounted,
    below: mountsBelow,
    detached: (sizeBytes, source) => detachedTmpfs(library, sizeBytes, source),
    attach(tmpfs, directory) {
      const [here, there] = [text(''), text(directory)];
      // The first `null` is the directory descriptor of a relative path.
      const moved = libc.syscall(SYS_MOVE_MOUNT, tmpfs, here, null, there, MOVE_MOUNT_F_EMPTY_PATH);
      return library.unlessDenied(moved, `The volume cannot be mounted at ${directory}`) !== undefined;
    },
    tmpfs(directory, sizeBytes, source) {
      const flags = MS_NOSUID | MS_NODEV | MS_NOEXEC;
      const data = text(`size=${sizeBytes},mode=0755,nr_inodes=${mostInodes}`);
      library.check(
        libc.mount(text(source), text(directory), text('tmpfs'), flags, data),
        `The tmpfs at ${directory} cannot be mounted`,
      );
    },
    bind(from, to) {
      library.check(libc.mount(text(from), text(to), null, MS_BIND, null), `${from} cannot be mounted at ${to}`);
    },
    unmount(directory) {
      library.check(libc.umount2(text(directory), 0), `${directory} cannot be unmounted`);
    },
    table: mountTable,
    tryLock(directory) {
      const handle = openSync(directory, constants.O_RDONLY | constants.O_DIRECTORY);
      const result = libc.flock(handle, LOCK_EX | LOCK_NB);
      const code = library.codeOf(result);
      if (code === 0) return () => closeSync(handle);
      closeSync(handle);
      if (code !== LOCKED) library.check(result, `${directory} cannot be locked`, code);
      return undefined;
    },
  };
}

/** A tmpfs that is mounted nowhere yet, as a file descriptor; undefined where the system lacks or denies the calls. */
function detachedTmpfs(library: CLibrary, sizeBytes: number, source: string): number | undefined {
  const libc = library.symbols;
  const failure = 'A tmpfs cannot be made';
  const opened = libc.syscall(SYS_FSOPEN, text('tmpfs'), FSOPEN_CLOEXEC, null, null, null);
  const context = library.unlessDenied(opened, failure);
  if (context === undefined) return undefined;
  try {
    const parameters = { source, size: `${sizeBytes}`, mode: '0755', nr_inodes: `${mostInodes}` };
    for (const [name, value] of Object.entries(parameters)) {
      const set = libc.syscall(SYS_FSCONFIG, context, FSCONFIG_SET_STRING, text(name), text(value), null);
      if (library.unlessDenied(set, `${failure} with ${name}=${value}`) === undefined) return undefined;
    }
    const created = libc.syscall(SYS_FSCONFIG, context, FSCONFIG_CMD_CREATE, null, null, null);
    if (library.unlessDenied(created, failure) === undefined) return undefined;
    const attributes = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC;
    return library.unlessDenied(libc.syscall(SYS_FSMOUNT, context, FSMOUNT_CLOEXEC, attributes, null, null), failure);
  } finally {
    closeSync(context);
  }
}

function text(value: string): Buffer {
  // The C library would cut the path at the NUL, which names another path.
  if (value.includes('\0')) throw new AzimuthError('AZ_VOLUME_MOUNT', 'A path has a NUL character');
  return Buffer.from(`${value}\0`);
}
