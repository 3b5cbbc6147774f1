import type { Dispatcher } from '../base/http/client.ts';
import type { Headers } from '../base/http/retry-after.ts';
import { isDeeperThan } from '../base/json.ts';

/** One HTTP request whose answer is read whole. */
export interface HttpCall {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Longest answer that is accepted. @default 8 MiB */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The answer to an HttpCall, of any status. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower-case names; repeated headers joined with a comma. */
  readonly headers: Headers;
  readonly text: string;
  /** Parsed JSON; undefined for an empty body, one that is no JSON, and one nested deeper than 100 levels. */
  readonly body: unknown;
}

/** Azure's documents have a dozen levels; deeper ones would end the recursive functions that read them. */
const MAX_LEVELS = 100;

/**
 * One request, one answer of any status: no retry, no redirect. Rejects when no answer came, when it is too long, or with the
 * abort reason.
 */
export async function httpCall(dispatcher: Dispatcher, call: HttpCall): Promise<HttpAnswer> {
  try {
    const { origin, pathname, search } = new URL(call.url);
    const response = await dispatcher.request({
      origin,
      path: `${pathname}${search}`,
      method: call.method,
      headers: call.headers,
      body: call.body ?? null,
      ...(call.signal && { signal: call.signal }),
    });
    const text = await response.body.text({ ...(call.maxBytes !== undefined && { maxBytes: call.maxBytes }) });
    const headers: Record<string, string> = {};
    for (const [name, value] of Object.entries(response.headers)) {
      if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
    }
    return { status: response.statusCode, headers, text, body: parseJson(text) };
  } catch (error) {
    if (call.signal?.aborted) throw call.signal.reason;
    throw error;
  }
}

/** Closes a dispatcher that several may share and close; the second time is fine. */
export async function closeDispatcher(dispatcher: Dispatcher): Promise<void> {
  if (!closed.has(dispatcher)) {
    closed.add(dispatcher);
    await dispatcher.close();
  }
}

const closed = new WeakSet<Dispatcher>();

function parseJson(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    // Some services send a byte order mark.
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return isDeeperThan(value, MAX_LEVELS) ? undefined : value;
  } catch {
    return undefined;
  }
}
