import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { readBoundedTextSync } from '../base/bounded-file.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import { compileBicep, compileBicepParameters, isBicepFile, isBicepParametersFile } from './compile-bicep.ts';

/** Most bytes of a file. */
const maxBytes = 16 * 1024 * 1024;
/** Files of a folder; those with other endings are left out, as kubectl does. */
const endings = /\.(ya?ml|json)$/;
/** Most files of one folder. */
const maxFiles = 10_000;

/** A file of a plan. */
export interface PlanFile {
  /** As messages name it. */
  readonly name: string;
  readonly text: string;
  /** A parameters file of the template that the text is. @default none */
  readonly parameters?: string;
  /** Argument of `-f` that stands for it, such as its folder. @default its name */
  readonly input?: string;
}

/**
 * The files that `-f` names, in order: `-` is standard input, and a folder stands for its files in YAML and JSON, by name;
 * with `recursive` for those at any depth (default: false, as kubectl). A file of Bicep is compiled; with `bicep` each one is
 * (default: false, by its ending). A `.bicepparam` file stands for the template that it uses, with its parameters. Throws AZ_CONFIG_INVALID that names the file.
 */
export async function readFiles(
  names: readonly string[],
  stdin: NodeJS.ReadableStream,
  { recursive = false, bicep = false }: { readonly recursive?: boolean; readonly bicep?: boolean } = {},
): Promise<PlanFile[]> {
  if (names.filter((name) => name === '-').length > 1)
    throw new AzimuthError('AZ_CONFIG_INVALID', 'Standard input can be read once: name `-f -` once');
  const files: PlanFile[] = [];
  for (const name of names) {
    try {
      if (name === '-' && bicep) throw new Error('--bicep takes files: bicep looks for modules beside them');
      if (name === '-') files.push({ name: 'standard input', text: await readAll(stdin) });
      else if (isBicepParametersFile(name)) files.push(await withParameters(name));
      else if (bicep || isBicepFile(name)) files.push({ name, text: await compileBicep(name) });
      else
        for (const file of filesOf(name, recursive))
          files.push({ name: file, text: readBoundedTextSync(file, maxBytes), input: name });
    } catch (error) {
      const what = name === '-' ? 'Standard input' : `The file ${name}`;
      throw new AzimuthError('AZ_CONFIG_INVALID', `${what} cannot be read: ${messageOf(error)}`);
    }
  }
  return files;
}

/**
 * The file of `--parameters`: a `.bicepparam` file is compiled, and the template that it uses does not count. Throws
 * AZ_CONFIG_INVALID that names the file.
 */
export async function readParameters(name: string, stdin: NodeJS.ReadableStream): Promise<PlanFile | undefined> {
  const [file] = await readFiles([name], stdin);
  return file?.parameters === undefined ? file : { name, text: file.parameters };
}

async function withParameters(name: string): Promise<PlanFile> {
  const { template, parameters } = await compileBicepParameters(name);
  return { name, text: template, parameters };
}

function filesOf(name: string, recursive: boolean): string[] {
  if (!statSync(name).isDirectory()) return [name];
  const found = readdirSync(name, { withFileTypes: true, recursive })
    .filter((entry) => !entry.isDirectory() && endings.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  if (found.length === 0) throw new Error('the folder has no file that ends with .yaml, .yml or .json');
  if (found.length > maxFiles) throw new Error(`the folder has ${found.length} files, at most ${maxFiles} are read`);
  return found;
}

async function readAll(stdin: NodeJS.ReadableStream): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of stdin) {
    parts.push(Buffer.from(part));
    length += parts.at(-1)?.length ?? 0;
    if (length > maxBytes) throw new Error(`it is longer than ${maxBytes} bytes`);
  }
  return Buffer.concat(parts).toString('utf8');
}
