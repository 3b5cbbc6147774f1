import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AzimuthError } from '../../runtime/base/errors.ts';
import { isObject } from '../../runtime/base/json.ts';

/** A request of a recorded session with Azure's answer; docs/reference/sandbox.md has the format. */
export interface RecordedRequest {
  readonly method: string;
  /** Decoded. */
  readonly path: string;
  readonly query: string;
  /** If-Match and If-None-Match. */
  readonly asked?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly answer?: unknown;
  readonly poll?: boolean;
}

/** A recorded session, by the name of its file. */
export interface Session {
  readonly name: string;
  readonly requests: readonly RecordedRequest[];
}

/** The sessions of a folder whose names have one of the words, or all; undefined where the folder is not there. */
export function readSessions(folder: string, words: readonly string[]): Session[] | undefined {
  if (!existsSync(folder)) return undefined;
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json') && (words.length === 0 || words.some((word) => name.includes(word))))
    .sort()
    .map((name) => readSession(join(folder, name)));
}

/** The session of a file. Throws AZ_CONFIG_INVALID that names the file and what is wrong with it. */
export function readSession(file: string): Session {
  const wrong = (what: string) => new AzimuthError('AZ_CONFIG_INVALID', `the session ${file} ${what}`);
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw wrong(`cannot be read as JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  const requests = isObject(content) ? content['requests'] : undefined;
  if (!Array.isArray(requests)) throw wrong('must be an object with a list `requests`');
  const bad = requests.findIndex((request) => !isRequest(request));
  if (bad >= 0) throw wrong(`needs method, path, query and status in item ${bad} of \`requests\``);
  return { name: basename(file, '.json'), requests };
}

const isRequest = (value: unknown): value is RecordedRequest =>
  isObject(value) &&
  ['method', 'path', 'query'].every((name) => typeof value[name] === 'string') &&
  typeof value['status'] === 'number';

/** Whether a request changes something. */
export const isWrite = (method: string) => method !== 'GET' && method !== 'HEAD';

/** The requests that a replay sends: without polls, and without a GET that repeats the one before it. */
export function requestsToSend(session: Session): RecordedRequest[] {
  const read = new Set<string>();
  return session.requests.filter((request) => {
    if (request.poll) return false;
    if (isWrite(request.method)) {
      read.clear();
      return true;
    }
    const key = `${request.method} ${request.path}?${request.query}`;
    if (read.has(key)) return false;
    read.add(key);
    return true;
  });
}
