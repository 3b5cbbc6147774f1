import { tryParseJson } from '../../runtime/base/json.ts';
import type { RecordedRequest } from '../sessions/session.ts';
import { isHiddenName } from './hidden-names.ts';
import { Redaction } from './redaction.ts';

/** A request that went to Azure, and Azure's answer. */
export interface Exchanged {
  readonly method: string;
  /** Path and query, as sent. */
  readonly target: string;
  /** By names in lower case. */
  readonly requestHeaders: Readonly<Record<string, unknown>>;
  readonly requestBody: string;
  readonly status: number;
  /** By names in lower case, as Azure sent them. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly answer: string;
}

const operationHeaders = ['location', 'azure-asyncoperation'];
const operationPath = /\/(asyncoperations|operations|operationstatuses|operationresults)\/[^/]+$/i;

/** Makes a session in the form that a replay reads. What it keeps of a request is redacted when it comes in. */
export class SessionRecorder {
  readonly #redaction = new Redaction();
  readonly #requests: RecordedRequest[] = [];
  /** Paths of operations, which clients poll. */
  readonly #operations = new Set<string>();

  /** Adds a request, but for polls of operations and further pages of a list. */
  add(exchanged: Exchanged): void {
    const { method, target, requestHeaders, status, headers } = exchanged;
    this.#redaction.addSecret(String(requestHeaders['authorization'] ?? '').replace(/^Bearer /i, ''));
    const [rawPath = '', query = ''] = target.split(/\?(.*)/s);
    const isPoll = method === 'GET' && (this.#operations.has(rawPath) || operationPath.test(rawPath));
    const given = operationHeaders.flatMap((name) => (typeof headers[name] === 'string' ? [headers[name]] : []));
    // The Location of some writes is the resource itself.
    for (const url of given) if (pathOf(url) !== rawPath) this.#operations.add(pathOf(url));
    if (isPoll || /(^|&)(\$|%24)skiptoken=/i.test(query)) return;
    const path = decoded(rawPath);
    const kind = method === 'POST' || isHiddenPath(path) ? 'resource' : 'open';
    const ofAnswer = method === 'POST' ? 'list' : kind;
    const body = tryParseJson(exchanged.requestBody);
    const answer = tryParseJson(exchanged.answer);
    const asked = this.#headers(requestHeaders, ['if-match', 'if-none-match']);
    const shown = this.#headers(headers, [...operationHeaders, 'retry-after', 'etag']);
    this.#requests.push({
      method,
      path: this.#redaction.path(path),
      query: this.#redaction.query(query),
      ...(asked && { asked }),
      ...(body !== undefined && { body: this.#redaction.body(body, kind) }),
      status,
      ...(shown && { headers: shown }),
      ...(answer !== undefined && { answer: this.#redaction.body(answer, status < 400 ? ofAnswer : 'open') }),
    });
  }

  /** The text of the file, a request a line. */
  text(): string {
    const lines = this.#requests.map((request) => JSON.stringify(this.#redaction.withoutSecrets(request)));
    return `{"source":"azimuth sandbox --record","requests":[\n${lines.join(',\n')}\n]}\n`;
  }

  #headers(all: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, string> | undefined {
    const entries = names.flatMap((name): [string, string][] => {
      const value = all[name];
      if (typeof value !== 'string') return [];
      if (name === 'retry-after') return /^\d+$/.test(value) ? [[name, value]] : [];
      return [[name, operationHeaders.includes(name) ? this.#redaction.location(value) : this.#redaction.etag(value)]];
    });
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  }
}

/** Whether the path is of a type, or of a configuration of an app, whose values are secrets. */
function isHiddenPath(path: string): boolean {
  const [, ...segments] =
    path
      .split(/\/providers\//i)
      .at(-1)
      ?.split('/') ?? [];
  return segments.some((segment, index) => {
    const isName = index % 2 === 1;
    return isHiddenName(segment) && (!isName || /^config/i.test(segments[index - 1] ?? ''));
  });
}

const pathOf = (url: string) => new URL(url, 'https://management.azure.com').pathname;

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
