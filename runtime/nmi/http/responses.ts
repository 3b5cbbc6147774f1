import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../../base/errors.ts';
import { HttpError } from '../protocol/http-error.ts';

/** A listener for errors of a response whose caller hung up. */
export function ignore(): void {}

/** Whether the request has the header by which IMDS recognises deliberate callers (against SSRF). */
export function hasMetadataHeader({ headers }: IncomingMessage): boolean {
  const value = headers['metadata'];
  return value === 'true' || (typeof value === 'string' && value.toLowerCase() === 'true');
}

/** The first value of a header, '' when it is absent. */
export function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return (Array.isArray(value) ? value[0] : value) ?? '';
}

/** Answers 200 with a JSON text. Returns the status. */
export function sendJson(request: IncomingMessage, response: ServerResponse, body: string): number {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(request.method === 'HEAD' ? undefined : body);
  return 200;
}

/** Answers 301. Returns the status. */
export function sendRedirect(response: ServerResponse, location: string): number {
  response.writeHead(301, { location, 'content-length': 0 }).end();
  return 301;
}

/** The error as an answer: anything unforeseen is 500, without its text. */
export function httpErrorOf(error: unknown): HttpError {
  return error instanceof HttpError ? error : new HttpError(500, 'internal error', { detail: messageOf(error) });
}

/** Answers with an error, or ends a connection whose answer has begun. Returns the error. */
export function sendError(response: ServerResponse, cause: unknown): HttpError {
  const error = httpErrorOf(cause);
  const { status, body, retryAfterSeconds } = error;
  if (response.headersSent) {
    response.destroy();
    return error;
  }
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body) + 1,
    'x-content-type-options': 'nosniff',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  });
  response.end(`${body}\n`);
  return error;
}
