import { spawn } from 'node:child_process';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { nodeImageHint } from '../../base/process/node-image.ts';

/** How a program ended. `code`: its exit code, 127 where it is not installed, 128 where a signal ended it. */
export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell. `input`: its standard input. A missing program resolves to code 127. */
export type CommandRunner = (program: string, args: readonly string[], input?: string) => Promise<CommandResult>;

/** Seconds for which iptables waits for the lock of the tables, as its argument `-w` takes them. */
export const lockWaitSeconds = '10';

const limitMs = 30_000;

/** Runs a program of the system, for 30 seconds at most. Rejects with AZ_REDIRECTION_FAILED where it cannot start. */
export const runCommand: CommandRunner = (program, args, input = '') =>
  new Promise((resolve, reject) => {
    const child = spawn(program, [...args], { timeout: limitMs, stdio: ['pipe', 'pipe', 'pipe'] });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
      });
    }
    child.stdin.on('error', () => undefined).end(input);
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') resolve({ code: 127, stdout: '', stderr: `${program} is not installed` });
      else
        reject(
          new AzimuthError('AZ_REDIRECTION_FAILED', `${program} cannot be run: ${messageOf(error)}`, { cause: error }),
        );
    });
    child.once('close', (code) => resolve({ code: code ?? 128, ...output }));
  });

/** Like the runner, but anything except code 0 throws AZ_REDIRECTION_FAILED with the program's stderr. */
export async function must(
  run: CommandRunner,
  program: string,
  args: readonly string[],
  input?: string,
): Promise<string> {
  const { code, stdout, stderr } = await run(program, args, input);
  if (code === 0) return stdout;
  if (code === 127) throw new AzimuthError('AZ_REDIRECTION_FAILED', `${program} is not installed. ${nodeImageHint}`);
  const fix = /permi(tted|ssion)|must be root/i.test(stderr)
    ? '; run as root with the capabilities NET_ADMIN and NET_RAW, or redirect nothing with --iptables=off'
    : '';
  throw new AzimuthError(
    'AZ_REDIRECTION_FAILED',
    `\`${program} ${args.join(' ')}\` failed with code ${code}: ${stderr.trim().split('\n').slice(-3).join('; ')}${fix}`,
  );
}
