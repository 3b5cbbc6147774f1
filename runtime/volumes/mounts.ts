import { execFile } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { AzimuthError } from '../base/errors.ts';

/** Mounting, through mount(8) and umount(8): kubelet itself needs them on every host (docs/adr/0011-kv-driver.md). */
export interface Mounts {
  /** Whether something is mounted right there. Links on the way are followed. */
  isMounted(directory: string): boolean;
  /** Every mount point at or below the directory, innermost first. */
  below(directory: string): readonly string[];
  tmpfs(directory: string, sizeBytes: number): Promise<void>;
  /** Shows one mount at a second place, with its flags. */
  bind(from: string, to: string): Promise<void>;
  unmount(directory: string): Promise<void>;
}

/** Programs of the base system, should the environment have no PATH. */
const path = [process.env['PATH'], '/usr/sbin', '/usr/bin', '/sbin', '/bin', '/run/current-system/sw/bin']
  .filter(Boolean)
  .join(':');
const timeoutMs = 20_000;

/** `table` is the mount table to read. */
export function systemMounts(table = '/proc/self/mountinfo'): Mounts {
  const points = () => mountPoints(readFileSync(table, 'utf8'));
  return {
    isMounted(directory) {
      const real = tryRealPath(directory);
      return real !== undefined && points().includes(real);
    },
    below(directory) {
      const real = tryRealPath(directory);
      if (real === undefined) return [];
      return points()
        .filter((point) => point === real || point.startsWith(`${real}/`))
        .sort((a, b) => b.length - a.length);
    },
    tmpfs: (directory, sizeBytes) =>
      run('mount', [
        // -i: no helper program; -n: no second table of mounts.
        '-i',
        '-n',
        '-t',
        'tmpfs',
        '-o',
        `size=${sizeBytes},mode=0755,noexec,nosuid,nodev`,
        'tmpfs',
        directory,
      ]),
    bind: (from, to) => run('mount', ['-n', '--bind', from, to]),
    unmount: (directory) => run('umount', ['-i', '-n', directory]),
  };
}

/** The fifth field of each line of mountinfo (proc(5)), with its octal escapes undone. */
export function mountPoints(table: string): string[] {
  return table
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((point) => point !== '')
    .map((point) =>
      point.replaceAll(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8))),
    )
    .map((point) => Buffer.from(point, 'latin1').toString('utf8'));
}

function tryRealPath(directory: string): string | undefined {
  return existsSync(directory) ? realpathSync(directory) : undefined;
}

function run(program: string, args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { env: { PATH: path, LC_ALL: 'C' }, timeout: timeoutMs, cwd: '/' };
    execFile(program, args, options, (error, _stdout, stderr) => {
      if (!error) return resolve();
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      const said = missing ? `the host has no ${program} program on ${path}` : stderr.trim() || error.message;
      reject(new AzimuthError('AZ_VOLUME_MOUNT', `${program} ${args.at(-1)} failed: ${said}`, { cause: error }));
    });
  });
}
