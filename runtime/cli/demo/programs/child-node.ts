import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { moduleFile } from '../../../base/process/module-file.ts';

const endWithParent = moduleFile(import.meta.url, './end-with-parent.ts').href;

/** A child whose standard input ends with this process. */
export type ChildNode = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts Node with these arguments (options of Node, a program, its arguments) and this environment alone, plus PATH and
 * the directory of Node's compile cache. The child never outlives this process, however that ends: also not a SIGKILL.
 * `launcher` is a command that becomes Node.
 */
export function spawnNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  launcher: readonly string[] = [],
): ChildNode {
  const [command = '', ...rest] = [...launcher, process.execPath, `--import=${endWithParent}`, ...args];
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  const cache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  const child = spawn(command, rest, {
    env: { PATH, ...cache, ...env, AZIMUTH_ENDS_WITH: String(process.pid) },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // A child that ends first breaks the pipe, which its exit reports better.
  child.stdin.on('error', () => undefined);
  const kill = () => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return child;
}
