import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { isObject, type JsonObject } from '../base/json.ts';

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

/** Whether the file has parameters in Bicep by its name. */
export const isBicepParametersFile = (file: string) => file.toLowerCase().endsWith('.bicepparam');

/**
 * The ARM template of a Bicep file, as the program `bicep` on the PATH compiles it. Throws where there is no such program,
 * with its messages where it refuses the file, and where it takes too long or prints too much.
 */
export function compileBicep(file: string, limits: BicepLimits = {}): Promise<string> {
  return run('build', file, limits);
}

/** A compiled file of parameters. */
export interface BicepParameters {
  /** As a parameters file has them. */
  readonly parameters: string;
  /** The template that the file uses, compiled. */
  readonly template: string;
}

/**
 * The parameters in a `.bicepparam` file and the template that its `using` names. Throws as `compileBicep`, and for a file
 * that uses a template spec or no template.
 */
export async function compileBicepParameters(file: string, limits: BicepLimits = {}): Promise<BicepParameters> {
  const output = await run('build-params', file, limits);
  const { parametersJson, templateJson, templateSpecId } = membersOf(output);
  if (typeof parametersJson === 'string' && typeof templateJson === 'string')
    return { parameters: parametersJson, template: templateJson };
  const what = typeof templateSpecId === 'string' ? `the template spec ${templateSpecId.slice(0, 300)}` : 'no template';
  throw new Error(`it uses ${what}: let \`using\` name a .bicep or .json file`);
}

function membersOf(output: string): JsonObject {
  try {
    const value: unknown = JSON.parse(output);
    if (isObject(value)) return value;
  } catch {
    // The text is no JSON.
  }
  throw new Error('bicep build-params printed no JSON: it needs version 0.17 or later');
}

function run(command: string, file: string, { timeoutMs = 120_000 }: BicepLimits): Promise<string> {
  const limits = { timeout: timeoutMs, maxBuffer: maxLength, killSignal: 'SIGKILL' as const, env: process.env };
  return new Promise((done, fail) => {
    // An absolute path is no flag, whatever the name of the file.
    execFile('bicep', [command, '--stdout', resolve(file)], limits, (error, stdout, stderr) => {
      if (!error) done(stdout);
      else if (error.code === 'ENOENT') fail(new Error(missing));
      else if (String(error.code) === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
        fail(new Error(`bicep printed more than ${maxLength} characters`));
      else if (error.killed) fail(new Error(`bicep took longer than ${timeoutMs / 1000} s`));
      else fail(new Error(`bicep refused it: ${stderr.trim().slice(0, mostMessages) || `exit code ${error.code}`}`));
    });
  });
}
