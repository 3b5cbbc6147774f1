import { dirname } from 'node:path';
import { AzimuthError, type ErrorCode, messageOf } from '../../base/errors.ts';
import { onOneLine } from '../../base/text/printable.ts';

/** Exit codes of every program; docs/reference/command-line.md has them too. */
export const exitCodes = {
  /** The program has finished its work, or a signal stopped it. */
  done: 0,
  /** The program failed, did a part of its work only, or got invalid input. */
  failed: 1,
  /** With `--detailed-exitcode`: all is well, and there is something to change. */
  changes: 2,
} as const;

/** An error of the operating system. `address`: of `listen`, a Unix socket's path or an IP address. */
type SystemError = NodeJS.ErrnoException & { readonly address?: string };

/** How to fix an error of the operating system, by the code of Node.js. */
const fixes: Readonly<Record<string, (error: SystemError) => string>> = {
  EADDRINUSE: () =>
    'another process listens there: end it (`ss -ltnp` shows it), or choose another address or port; --help lists the flags',
  EADDRNOTAVAIL: () => 'this machine has no such address: choose one of its own; --help lists the flags',
  EACCES: ({ syscall, path, address }) => {
    const user = `the user of this process (uid ${process.getuid?.()})`;
    if (syscall !== 'listen' && syscall !== 'bind') {
      return `${user} may not do that: change owner or mode of ${path ?? 'the file'}`;
    }
    // Node.js has this code for the socket in a directory that does not exist, too.
    if (address?.startsWith('/')) return `make the directory ${dirname(address)}, and let ${user} write there`;
    return 'ports below 1024 need root or the capability NET_BIND_SERVICE: choose a higher port; --help lists the flags';
  },
  EPERM: () => 'this takes root or a capability that the process does not have',
  ENOTDIR: () => 'a part of this path is a file: choose another path',
  EROFS: ({ path }) =>
    `the file system of ${path ?? 'the file'} is read-only: mount a volume there that can be written`,
};

/** How to fix an error of ours whose message does not say it. */
const ownFixes: Partial<Record<ErrorCode, string>> = {
  AZ_KUBE_UNREACHABLE: 'start this API server, or name another one by KUBECONFIG and its current context',
};

/** The last line of a failed program, printable whatever file or server the error names. */
export function failureLine(error: unknown): string {
  const own = error instanceof AzimuthError ? error : undefined;
  const system = systemErrorOf(error);
  const fix = fixes[system.code ?? '']?.(system) ?? (own && ownFixes[own.code]);
  return onOneLine(`azimuth: ${own ? `${own.code}: ` : ''}${messageOf(error)}${fix ? `; ${fix}` : ''}`);
}

/** The error of the operating system: the thrown error, or its cause. */
function systemErrorOf(error: unknown): SystemError {
  const { cause } = Object(error) as Error;
  return (cause as SystemError | undefined)?.syscall ? (cause as SystemError) : (Object(error) as SystemError);
}
