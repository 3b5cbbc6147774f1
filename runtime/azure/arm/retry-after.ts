import { parseRetryAfter } from '../../base/http/retry-after.ts';

/** Header names in lower case, as Node delivers them. */
export type Headers = Readonly<Record<string, string>>;

/** A server that asks for more than this is taken at one hour: its clock or ours is wrong. */
const MAX_MS = 3_600_000;

/**
 * How long the other side asks to wait, in milliseconds from `now`, or undefined where it does not say. Understands
 * `retry-after-ms` and `x-ms-retry-after-ms` (milliseconds; most precise, so first) and `Retry-After` as seconds or as
 * an HTTP date (RFC 9110 10.2.3). Dates in the past give 0, nonsense gives undefined, the result lies in [0, 1 h].
 */
export function retryAfterOf(headers: Headers, now: number): number | undefined {
  for (const name of ['retry-after-ms', 'x-ms-retry-after-ms']) {
    const value = headers[name];
    if (value !== undefined && /^\s*\d{1,12}(\.\d+)?\s*$/.test(value)) return clamp(Number(value));
  }
  const asked = parseRetryAfter(headers['retry-after'], now);
  return asked === undefined ? undefined : clamp(asked);
}

function clamp(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), MAX_MS);
}
