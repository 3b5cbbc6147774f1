import type { ServerResponse } from 'node:http';
import { stringify as toYaml } from 'yaml';
import type { StatusError } from '../model/status.ts';

/** The answer to a request. */
export interface Reply {
  readonly code: number;
  /** An object becomes JSON (or YAML), a string plain text, bytes are sent as they are. */
  readonly body: object | string | Uint8Array;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** Warning headers (RFC 7234 5.5) as the API server writes them. */
const warningHeader = (text: string) => `299 - "${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** Writes an answer; objects as JSON, or as YAML where the client asked for it. */
export function send(response: ServerResponse, reply: Reply, yaml: boolean, warnings: readonly string[] = []): void {
  const { body } = reply;
  let contentType = reply.contentType;
  let bytes: Uint8Array;
  if (body instanceof Uint8Array) bytes = body;
  else if (typeof body === 'string') {
    bytes = Buffer.from(body);
    contentType ??= 'text/plain; charset=utf-8';
  } else {
    bytes = Buffer.from(yaml ? toYaml(body) : JSON.stringify(body));
    contentType ??= yaml ? 'application/yaml' : 'application/json';
  }
  response.writeHead(reply.code, {
    'Content-Type': contentType ?? 'application/octet-stream',
    'Content-Length': bytes.byteLength,
    'Cache-Control': 'no-cache, private',
    ...(warnings.length > 0 && { Warning: warnings.map(warningHeader) }),
    ...(reply.headers as Record<string, string>),
  });
  response.end(bytes);
}

/** The answer for an error, with Retry-After where its details have one. */
export function statusReply(error: StatusError): Reply {
  const retryAfter = error.status['details']?.retryAfterSeconds;
  return {
    code: error.code,
    body: error.status,
    headers: retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) },
  };
}

/** 404 as plain text, for paths outside of the API. */
export const notFoundPage: Reply = { code: 404, body: '404 page not found\n' };
