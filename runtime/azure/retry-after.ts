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
    const ms = number(headers[name]);
    if (ms !== undefined) return clamp(ms);
  }
  const value = headers['retry-after']?.trim();
  if (!value) return undefined;
  const seconds = number(value);
  if (seconds !== undefined) return clamp(seconds * 1000);
  // Every form of an HTTP date starts with the name of a day; Date.parse alone would take far too much.
  if (!/^(mon|tue|wed|thu|fri|sat|sun)/i.test(value)) return undefined;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : clamp(date - now);
}

function number(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d{1,12}(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

function clamp(ms: number): number {
  return Math.min(Math.max(Math.round(ms), 0), MAX_MS);
}
