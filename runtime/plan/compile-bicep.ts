import { execFile } from 'node:child_process';
import { resolve } from 'node:path';

/** Most characters of a compiled template, as of any file. */
const maxLength = 16 * 1024 * 1024;
/** Characters of the compiler's own messages. */
const mostMessages = 2000;
const missing =
  'the program bicep is not on the PATH: install it by `az bicep install`, which puts it into ~/.azure/bin, or as ' +
  'https://aka.ms/bicep-install says, or name the compiled template';

/** Bounds of one run of the compiler. */
export interface BicepLimits {
  /** Milliseconds. @default two minutes: modules of a registry are downloaded */
  readonly timeoutMs?: number;
}

/** Whether the file is one of Bicep by its name. */
export const isBicepFile = (file: string) => file.toLowerCase().endsWith('.bicep');

/**
 * The ARM template of a Bicep file, as the program `bicep` on the PATH compiles it. Throws where there is no such program,
 * with its messages where it refuses the file, and where it takes too long or prints too much.
 */
export function compileBicep(file: string, { timeoutMs = 120_000 }: BicepLimits = {}): Promise<string> {
  const limits = { timeout: timeoutMs, maxBuffer: maxLength, killSignal: 'SIGKILL' as const, env: process.env };
  return new Promise((done, fail) => {
    // An absolute path is no flag, whatever the name of the file.
    execFile('bicep', ['build', '--stdout', resolve(file)], limits, (error, stdout, stderr) => {
      if (!error) done(stdout);
      else if (error.code === 'ENOENT') fail(new Error(missing));
      else if (String(error.code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        fail(new Error(`bicep printed more than ${maxLength} characters`));
      else if (error.killed) fail(new Error(`bicep took longer than ${timeoutMs / 1000} s`));
      else fail(new Error(`bicep refused it: ${stderr.trim().slice(0, mostMessages) || `exit code ${error.code}`}`));
    });
  });
}
