import { isObject } from '../../runtime/base/json.ts';
import type { Fault } from './faults.ts';
import type { JournalEntry } from './journal.ts';
import type { Json } from './json.ts';

/** A request as the services see it. */
export interface Exchange {
  readonly method: string;
  /** Scheme, host and port as the client named them. */
  readonly origin: string;
  readonly host: string;
  readonly url: URL;
  /** Decoded path segments without empty ones: a trailing slash makes no difference. */
  readonly segments: readonly string[];
  readonly query: URLSearchParams;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
  /** Services add their findings: token, audience, whether state changed. */
  readonly entry: JournalEntry;
  /** How the operation that this request may start shall end. */
  readonly operationFault: Fault['operation'];
}

/** The answer to a request. */
export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Object or array: JSON; text and bytes: sent as they are; undefined: no body. */
  readonly body?: unknown;
}

/** Answers a request; throws `Refusal` for an error answer. */
export type Handler = (exchange: Exchange) => Reply | Promise<Reply>;

/** Thrown to answer at once; every service has helpers that build its error body. */
export class Refusal extends Error {
  readonly reply: Reply;
  readonly code: string;

  constructor(code: string, reply: Reply) {
    super(`${reply.status} ${code}`);
    this.name = 'Refusal';
    this.code = code;
    this.reply = reply;
  }
}

/** `{error: {code, message}}`, the body of ARM and of Key Vault. */
export function refuse(
  status: number,
  code: string,
  message: string,
  more: Json = {},
  headers: Record<string, string> = {},
): Refusal {
  return new Refusal(code, { status, headers, body: { error: { code, message, ...more } } });
}

/** A segment of a path without percent signs; one that is malformed stays as it is. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** The query parameter, ignoring case of its name. */
export function queryOf(exchange: Exchange, name: string): string | undefined {
  for (const [key, value] of exchange.query) if (key.toLowerCase() === name.toLowerCase()) return value;
  return undefined;
}

/** The body as a JSON object; refuses with ARM's wording. */
export function jsonBody(exchange: Exchange): Json {
  const text = exchange.body.toString('utf8');
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // The error below names the reason.
  }
  throw refuse(
    400,
    'InvalidRequestContent',
    'The request content was invalid and could not be deserialized: a JSON object is expected.',
  );
}
