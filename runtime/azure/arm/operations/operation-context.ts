import { type Headers, retryAfterOf } from '../../../base/http/retry-after.ts';
import type { CloudEnvironment } from '../../types.ts';
import { mayReceiveArmToken, resolveArmUrl } from '../hosts.ts';

/** Milliseconds between two polls where ARM names no time. */
export const DEFAULT_POLL_MS = 15_000;
const MIN_POLL_MS = 100;
/** Waits below this grow with the age of the operation, as does the first wait after a Retry-After of zero. */
const GROWING_BELOW_MS = 1000;

/** Settings of polls, and the current time. */
export interface OperationContext {
  readonly cloud: CloudEnvironment;
  readonly allowedHosts?: readonly string[];
  readonly now: number;
  /** Wait where ARM names none, in milliseconds. @default 15000 */
  readonly defaultPollMs?: number;
  /**
   * The first wait where ARM names none or zero, in milliseconds. Each further wait is as long as the age of the
   * operation, up to `defaultPollMs`. @default `defaultPollMs`; from 1 s to `defaultPollMs` after a zero
   */
  readonly firstPollMs?: number;
  readonly random?: () => number;
}

/** The members of an HTTP answer that describe an operation. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
  readonly text?: string;
}

/** When to poll next, in milliseconds since the epoch: after Retry-After, else by the rules of OperationContext. */
export function nextPollAt(headers: Headers, context: OperationContext, startedAt: number): number {
  const { now, defaultPollMs = DEFAULT_POLL_MS, firstPollMs } = context;
  const asked = retryAfterOf(headers, now);
  if (asked === undefined && firstPollMs === undefined) return now + defaultPollMs;
  if (asked !== undefined && asked >= GROWING_BELOW_MS) return now + asked;
  const elapsed = now - startedAt;
  const first = firstPollMs ?? (asked ? MIN_POLL_MS : GROWING_BELOW_MS);
  const grown = Math.max(first, firstPollMs === undefined ? elapsed / 4 : elapsed);
  return now + Math.max(asked ?? 0, Math.min(defaultPollMs, grown));
}

/** The URL of a header; undefined where a token must not be sent to it. */
export function trusted(reference: string | undefined, context: OperationContext): string | undefined {
  const url = reference === undefined ? undefined : resolveArmUrl(reference.trim(), context.cloud);
  return url && mayReceiveArmToken(url, context.cloud, context.allowedHosts) ? url.href : undefined;
}
