/** Delays between tries, which grow by a factor. */
export interface BackoffOptions {
  /** First delay in milliseconds. @default 1000 */
  readonly initialMs?: number;
  /** Upper bound in milliseconds. @default 60000 */
  readonly maxMs?: number;
  /** Growth per attempt. @default 2 */
  readonly factor?: number;
  /** Share of the delay that is random, 0..1; the delay lies in [d*(1-jitter), d]. @default 0.25 */
  readonly jitter?: number;
}

/** Exponential delay with jitter for the given attempt (0 = first retry), in whole milliseconds. */
export function backoff(attempt: number, options: BackoffOptions = {}, random: () => number = Math.random): number {
  const { initialMs = 1000, maxMs = 60_000, factor = 2, jitter = 0.25 } = options;
  const delay = Math.min(maxMs, initialMs * factor ** Math.min(attempt, 64));
  return Math.round(delay * (1 - jitter * random()));
}
