import { HttpError } from './http-error.ts';

/** A request for a secret, as its URL and headers say. */
export interface SecretRequest {
  readonly namespace: string;
  readonly name: string;
  readonly version: 'current' | 'previous';
  /** `pem`: a certificate as key, leaf and issuers in PEM. */
  readonly format: 'stored' | 'pem';
  /** Seconds to wait for another version than `knownTag`; 0 answers at once. */
  readonly waitSeconds: number;
  /** Of If-None-Match; undefined without. */
  readonly knownTag: string | undefined;
}

/** The subject of a request: a secret, or a nonce. */
export type Route = { readonly route: 'secret'; readonly request: SecretRequest } | { readonly route: 'nonce' };

/** The longest `?wait=`, seconds: less than load balancers keep a silent connection. */
export const longestWait = 60;

/** Reads method, target and If-None-Match of a request. Throws an HttpError. */
export function routeOf(method: string, target: string, ifNoneMatch: string | undefined): Route {
  const [path = '', query = ''] = target.length > 1024 ? [] : target.split('?', 2);
  if (path === '/v1/nonce') {
    if (method !== 'POST') throw new HttpError('method_unknown', 'Send POST to /v1/nonce');
    return { route: 'nonce' };
  }
  const [, namespace, name] =
    /^\/v1\/secrets\/([a-z0-9][a-z0-9-]{0,62})\/([a-z0-9][a-z0-9.-]{0,252})$/.exec(path) ?? [];
  if (namespace === undefined || name === undefined)
    throw new HttpError('path_unknown', 'Paths are /v1/secrets/{namespace}/{name} and /v1/nonce');
  if (method !== 'GET') throw new HttpError('method_unknown', 'Send GET to /v1/secrets/{namespace}/{name}');
  const { wait = '0', version = 'current', format = 'stored' } = parametersOf(query);
  const waitSeconds = /^\d{1,2}$/.test(wait) ? Number(wait) : Number.NaN;
  if (!(waitSeconds <= longestWait))
    throw new HttpError('request_invalid', `wait is a whole number of seconds from 0 to ${longestWait}`);
  if (version !== 'current' && version !== 'previous')
    throw new HttpError('request_invalid', 'version is current or previous');
  if (format !== 'stored' && format !== 'pem')
    throw new HttpError('request_invalid', 'format is pem, or absent for the value as the vault stores it');
  const knownTag = ifNoneMatch?.slice(0, 200);
  return { route: 'secret', request: { namespace, name, version, format, waitSeconds, knownTag } };
}

const parameters: readonly string[] = ['wait', 'version', 'format'];

function parametersOf(query: string): { readonly wait?: string; readonly version?: string; readonly format?: string } {
  const queryValues: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    if (!parameters.includes(name) || queryValues[name] !== undefined)
      throw new HttpError('request_invalid', 'The parameters are wait, version and format, each once');
    queryValues[name] = value;
  }
  return queryValues;
}
