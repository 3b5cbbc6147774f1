import type { IncomingHttpHeaders } from 'node:http';
import { expected } from '../../base/errors.ts';
import { trimEndOf } from '../../base/text/text.ts';
import { HttpError } from '../protocol/http-error.ts';

/** A request that pods may send on to the metadata endpoint. */
export interface AllowedPath {
  readonly method: string;
  /** Lower case, as the metadata endpoint ignores the case. */
  readonly path: string;
  /** Whether the paths below it are allowed too. */
  readonly below: boolean;
}

/**
 * Requests without an effect that Azure documents for the metadata endpoint. `/*`: and the paths below. Not
 * `machineDocuments`.
 */
export const documentedPaths = [
  'GET /metadata/instance/*',
  'GET /metadata/loadbalancer',
  'GET /metadata/scheduledevents',
  'GET /metadata/versions',
];

/** Documents that prove the machine to others: a pod with one would count as its node. */
export const machineDocuments = ['GET /metadata/attested/document'];

/** Parameters of the documented requests; others may lead to another function of the machine's host. */
const documentedParameters = new Set(['api-version', 'format', 'nonce']);

/** Reads `METHOD /path`, with `/*` at the end for the paths below it. Throws AZ_CONFIG_INVALID naming `setting`. */
export function parseAllowedPath(text: string, setting: string): AllowedPath {
  const [, method = '', path = '', below] = /^([A-Z]{3,7}) (\/[a-z0-9/._-]*?)(\/\*)?$/i.exec(text.trim()) ?? [];
  if (path === '' || path.split('/').some((part) => part === '..' || part === '.'))
    throw expected(setting, 'entries such as `POST /metadata/scheduledevents`, separated by commas', text);
  return { method: method.toUpperCase(), path: trimEndOf(path.toLowerCase(), '/'), below: below !== undefined };
}

/** Which requests go on to the machine's metadata endpoint: everything that is not listed is refused. */
export class AllowedPaths {
  readonly #documented: readonly AllowedPath[];
  readonly #further: readonly AllowedPath[];

  constructor(further: readonly AllowedPath[] = [], documented: readonly string[] = documentedPaths) {
    this.#documented = documented.map((text) => parseAllowedPath(text, 'documentedPaths'));
    this.#further = further;
  }

  /** Whether the request is on the list, whatever its parameters. `path` is as it was sent. */
  lists(method: string, path: string): boolean {
    const matches = matchesOf(method, path);
    return [...this.#further, ...this.#documented].some(matches);
  }

  /** Throws 403 where the request is not on the list, 400 where it is malformed. `path` is as it was sent. */
  check(method: string, path: string, query: URLSearchParams, headers: IncomingHttpHeaders): void {
    // No documented path needs an escape, which two servers may decode differently.
    if (!/^[A-Za-z0-9/._-]+$/.test(path)) throw notAllowed(method);
    const matches = matchesOf(method, path);
    if (this.#further.some(matches)) return;
    if (!this.#documented.some(matches)) throw notAllowed(method);
    for (const name of query.keys()) if (!documentedParameters.has(name)) throw notAllowed(method);
    if (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)
      throw new HttpError(400, 'the request must not have a body', { reason: 'InvalidRequest' });
  }
}

function matchesOf(method: string, path: string): (allowed: AllowedPath) => boolean {
  const plain = path.toLowerCase().replace(/\/$/, '');
  return (allowed) =>
    allowed.method === method && (plain === allowed.path || (allowed.below && plain.startsWith(`${allowed.path}/`)));
}

function notAllowed(method: string): HttpError {
  return new HttpError(
    403,
    `pods may not send this ${/^[A-Z]{1,10}$/.test(method) ? method : ''} request to the metadata endpoint; ` +
      'the node daemon forwards documented paths only, and those of --metadata-paths',
    { reason: 'NotAllowed' },
  );
}
