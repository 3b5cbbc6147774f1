import { normalizeText } from '../../base/text/normalize.ts';
import { httpErrors } from './http-error.ts';

/** A token request; ids are normalised, '' when absent. */
export interface TokenRequest {
  readonly resource: string;
  readonly clientId: string;
  readonly objectId: string;
  readonly resourceId: string;
}

/** ARM ids are the longest legitimate values. */
const longest = 2048;

/**
 * Reads the query; `msi_res_id` wins over `mi_res_id`. Throws an HTTP error where the resource is missing or a
 * parameter is too long.
 */
export function readTokenRequest(query: URLSearchParams): TokenRequest {
  const request = parseTokenRequest(query);
  if (request.resource === '') throw httpErrors.noResource();
  for (const [name, value] of Object.entries(request)) {
    if (value.length > longest) throw httpErrors.longParameter(name);
  }
  return request;
}

/** Reads the query without checks, for callers that only report it. */
export function parseTokenRequest(query: URLSearchParams): TokenRequest {
  const value = (name: string) => normalizeText(query.get(name) ?? '');
  return {
    resource: query.get('resource') ?? '',
    clientId: value('client_id'),
    objectId: value('object_id'),
    resourceId: value('msi_res_id') || value('mi_res_id'),
  };
}

/** An id for logs: the first and last four characters, as upstream logs them. */
export function redactId(id: string): string {
  const [, first, last] = /^(\S{4}).*(\S{4})$/s.exec(id) ?? [];
  return first === undefined ? id : `${first}##### REDACTED #####${last}`;
}
