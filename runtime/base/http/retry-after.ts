/**
 * Milliseconds that a Retry-After header asks to wait (RFC 9110 section 10.2.3: seconds or an HTTP date); undefined
 * when it is absent or unreadable. A date in the past gives 0.
 */
export function parseRetryAfter(header: string | string[] | undefined, now: number = Date.now()): number | undefined {
  const value = (Array.isArray(header) ? header[0] : header)?.trim();
  if (!value) return undefined;
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  // Every form of an HTTP date starts with the name of a day; Date.parse alone would take far too much.
  const date = /^(mon|tue|wed|thu|fri|sat|sun)/i.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
