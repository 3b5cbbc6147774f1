import { jest } from '@jest/globals';
import type { Program } from '../../runtime/cli/program.ts';

/** What a command wrote to its two outputs, and its exit code. */
export interface CommandResult {
  readonly code: Awaited<ReturnType<Program>>;
  readonly out: string;
  readonly err: string;
}

/** Runs a command in this process, with this kubeconfig unless the arguments name one. */
export async function runCommand(
  command: Program,
  kubeconfig: string,
  argv: readonly string[],
): Promise<CommandResult> {
  const out: string[] = [];
  const err: string[] = [];
  const log = jest.spyOn(console, 'log').mockImplementation((line) => void out.push(String(line)));
  const error = jest.spyOn(console, 'error').mockImplementation((line) => void err.push(String(line)));
  try {
    const code = await command([...argv, ...(argv.includes('--kubeconfig') ? [] : ['--kubeconfig', kubeconfig])]);
    return { code, out: out.join('\n'), err: err.join('\n') };
  } finally {
    log.mockRestore();
    error.mockRestore();
  }
}
