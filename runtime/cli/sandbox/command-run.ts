import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { AzimuthError } from '../../base/errors.ts';

/** A command to run in an environment; its outputs and its input are those of this process. */
export interface CommandRun {
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** When it aborts, the command gets SIGTERM. */
  readonly signal: AbortSignal;
}

/** Runs a command; resolves to its exit code, or to 128 and the number of the signal that ended it. */
export async function runCommand({ command, env, signal }: CommandRun): Promise<number> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { env, stdio: 'inherit' });
  const stop = () => child.kill('SIGTERM');
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', ({ message }) => {
        reject(new AzimuthError('AZ_CONFIG_INVALID', `the command after -- cannot be started: ${message}`));
      });
      child.once('exit', (code, name) => resolve(code ?? 128 + (name ? constants.signals[name] : 0)));
    });
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
