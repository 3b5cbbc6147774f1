import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../../base/errors.ts';
import type { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';
import type { Dispatcher } from '../../base/http/client.ts';
import { HttpError } from '../protocol/http-error.ts';
import type { AllowedPaths } from './allowed-paths.ts';

/** Where allowed requests go. */
export interface PassthroughDeps {
  /** Must not use a proxy, nor the connections of token requests: some of these answers take minutes. */
  readonly dispatcher: Dispatcher;
  /** Such as http://169.254.169.254. */
  readonly endpoint: string;
  readonly allowed: AllowedPaths;
  /** By the namespace of the caller. */
  readonly places: FairSemaphore;
}

/** Most bytes of a request's body; only the acknowledgement of scheduled events has one. */
const maxBody = 64 * 1024;
const limitMs = 30_000;

/** Headers of one hop (RFC 9110 section 7.6.1), and those that the next hop needs again. */
const perHop = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A request to forward, with its caller. */
export interface Forwarding {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Of the caller; '' where it has none. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/**
 * Forwards an allowed request unchanged to the metadata endpoint, and its answer to the caller. Returns the status.
 */
export async function passThrough(
  { request, response, namespace, signal }: Forwarding,
  { endpoint, allowed, dispatcher, places }: PassthroughDeps,
): Promise<number> {
  const target = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '').split('#')[0] || '/';
  const [path = '', ...search] = target.split('?');
  allowed.check(request.method ?? 'GET', path, new URLSearchParams(search.join('?')), request.headers);
  const named = new Set((request.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const forwarded = (name: string) => !perHop.has(name) && !named.has(name);
  const headers: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(request.headers))
    if (value !== undefined && forwarded(name)) headers[name] = value;
  const body = await readBody(request, signal);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
  const forward = async () => {
    // Sent by its parts: a URL would be normalised, and the daemon must send the target that it checked.
    const answer = await dispatcher.request({
      origin: new URL(endpoint).origin,
      path: target,
      method: request.method ?? 'GET',
      headers,
      body: body.length > 0 ? body : null,
      signal: limit,
    });
    const back = Object.entries(answer.headers).filter(([name]) => forwarded(name) || name === 'content-length');
    response.writeHead(answer.statusCode, Object.fromEntries(back));
    await pipeline(answer.body, response, { signal: limit });
    return answer.statusCode;
  };
  try {
    return await places.run(namespace, limit, forward);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new HttpError(500, 'the metadata endpoint did not answer', {
      reason: 'MetadataUnreachable',
      detail: messageOf(error),
    });
  }
}

async function readBody(request: IncomingMessage, signal: AbortSignal): Promise<Buffer> {
  const tooLong = () => new HttpError(413, 'the body is too long', { reason: 'BodyTooLong' });
  if (Number(request.headers['content-length'] ?? 0) > maxBody) throw tooLong();
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    length += part.length;
    if (length > maxBody) throw tooLong();
    parts.push(part);
  }
  return Buffer.concat(parts);
}
