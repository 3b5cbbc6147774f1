import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { AzimuthError } from '../../../base/errors.ts';

/** The options of a command. */
export interface RunOptions {
  readonly cwd: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Standard output of a program that exits with 0; `node` is this process's own. @throws AzimuthError AZ_TERMINAL */
export async function run(command: readonly string[], { cwd, env, signal }: RunOptions): Promise<string> {
  const [program = '', ...args] = command;
  const executable = program === 'node' ? process.execPath : program;
  const child = spawn(executable, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal && { signal }),
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new AzimuthError('AZ_TERMINAL', `${program} ${args[0]} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
