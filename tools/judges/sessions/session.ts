import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** A request of a recorded session with Azure's answer; the README beside the sessions has the format. */
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
  return globSync(join(folder, '*.json'))
    .sort()
    .filter((file) => words.length === 0 || words.some((word) => basename(file).includes(word)))
    .map((file) => {
      const { requests } = JSON.parse(readFileSync(file, 'utf8')) as { requests: RecordedRequest[] };
      return { name: basename(file, '.json'), requests };
    });
}

const isWrite = (method: string) => method !== 'GET' && method !== 'HEAD';

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
