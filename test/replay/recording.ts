import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isObject } from '../../runtime/base/json.ts';

/** One recorded request with its answer, in the format of the project's recordings. */
export interface Interaction {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  /** Where it is not management.azure.com. */
  readonly host?: string;
  readonly requestBody?: unknown;
  readonly status: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: unknown;
}

export interface Recording {
  readonly name: string;
  /** To Resource Manager, in order, repetitions written out. */
  readonly interactions: readonly Interaction[];
}

type Repeated = Interaction & { readonly repeat?: number };

export function readRecording(file: string): Recording {
  const { interactions } = JSON.parse(readFileSync(file, 'utf8')) as { readonly interactions: readonly Repeated[] };
  const all = interactions.flatMap(({ repeat = 1, ...one }) => Array.from({ length: repeat }, (): Interaction => one));
  return { name: basename(file, '.json'), interactions: all.filter(({ host }) => host === undefined) };
}

/** Every recording of a directory; undefined when there is no such directory. */
export function readRecordings(directory: string): Recording[] | undefined {
  if (!existsSync(directory)) return undefined;
  const files = readdirSync(directory).filter((name) => name.endsWith('.json'));
  return files.sort().map((name) => readRecording(join(directory, name)));
}

/** Of the query of a poll URL: its signature, which changes while the operation stays the same. */
const signature = new Set(['t', 'c', 's', 'h']);

/** A URL as messages show it: signatures are thousands of characters long. */
export function withoutSignature(url: string): string {
  return url.replaceAll(/[?&][tcsh]=[^&\s]*/g, '');
}

/** What two spellings of one URL have in common: path without case, query without order and signature. */
export function urlKey(url: string): string {
  const { searchParams } = new URL(url, 'https://management.azure.com');
  const query = [...searchParams].filter(([name]) => !signature.has(name)).map(([name, value]) => `${name}=${value}`);
  return `${pathOf(url)}?${query.sort().join('&')}`;
}

/** The path without case, and without percent-encoding, which clients apply to different characters. */
export function pathOf(url: string): string {
  return decodeURIComponent(new URL(url, 'https://management.azure.com').pathname).toLowerCase();
}

/** Whether a GET of this URL reads the resource at its path. A service may have its operations at the same path. */
export function readsResource(url: string): boolean {
  const { searchParams } = new URL(url, 'https://management.azure.com');
  return [...searchParams.keys()].every((name) => name === 'api-version');
}

/** A header whatever its case. */
export function headerOf({ responseHeaders = {} }: Interaction, name: string): string | undefined {
  return Object.entries(responseHeaders).find(([own]) => own.toLowerCase() === name)?.[1];
}

/** Where the end of what this answer began can be seen. */
export function pollUrls(interaction: Interaction): string[] {
  return ['azure-asyncoperation', 'location'].flatMap((name) => headerOf(interaction, name) ?? []).map(urlKey);
}

/** Whether an answer to a poll shows an operation that has not ended. */
export function isUnderWay({ status, responseBody }: Interaction): boolean {
  const state = isObject(responseBody) ? responseBody['status'] : undefined;
  return status === 202 || (typeof state === 'string' && !/^(succeeded|failed|cancell?ed)$/i.test(state));
}

/** The answer to a poll when the operation has ended. */
export function ended(url: string): Interaction {
  return { method: 'GET', url, status: 200, responseBody: { status: 'Succeeded' } };
}

/** The head of a queue, whose last element stays. */
export function next(queue: Interaction[]): Interaction | undefined {
  return queue.length > 1 ? queue.shift() : queue[0];
}
