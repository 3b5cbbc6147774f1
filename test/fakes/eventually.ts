/** Milliseconds that a wait lasts before it fails. `AZIMUTH_TEST_WAIT` has seconds: `npm test` sets 30. @default 150 s */
export const waitMs = Number(process.env['AZIMUTH_TEST_WAIT'] || 150) * 1000;

/** What a world prints when a wait in its file fails, such as its last objects and log lines. */
const reports = new Set<() => string | Promise<string>>();

/** Adds a report to the message of each wait that fails, until the returned function is called. */
export function reportWithFailedWaits(report: () => string | Promise<string>): () => void {
  reports.add(report);
  return () => void reports.delete(report);
}

/** Prints the last twenty lines of a log with each wait that fails, until the returned function is called. */
export function reportLog(log: readonly (string | object)[]): () => void {
  const text = (line: string | object) => (typeof line === 'string' ? line.trimEnd() : JSON.stringify(line));
  return reportWithFailedWaits(() => `Last log lines:\n${log.slice(-20).map(text).join('\n')}`);
}

/**
 * Polls until `check` gives something truthy, and returns it. After the limit it throws `what`, with the reports of the
 * worlds of the test's file.
 */
export async function until<T>(
  what: string | (() => string),
  check: () => T | undefined | false | Promise<T | undefined | false>,
  limitMs = waitMs,
): Promise<T> {
  const started = Date.now();
  for (;;) {
    const result = await check();
    if (result) return result;
    if (Date.now() - started > limitMs)
      throw await waitFailure(limitMs / 1000, typeof what === 'string' ? what : what());
    await new Promise((resolve) => setTimeout(resolve, pollMs(started)));
  }
}

/** The error of a wait of so many seconds that failed, with the reports of the worlds of the test's file. */
export async function waitFailure(seconds: number, what: string): Promise<Error> {
  const parts = await Promise.all([...reports].map(async (report) => report()));
  return new Error([`Not reached within ${seconds} s: ${what}`, ...parts].join('\n'));
}

/** Polls until `check` holds; fails as `until` does. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  limitMs = waitMs,
): Promise<void> {
  await until(what, check, limitMs);
}

/**
 * Waits until it holds for each item, one after the other: a wait that reads all of them again and again costs more than
 * what it waits for. Returns the items for which it does not hold when the limit, which is for all together, is over.
 */
export async function untilEach<T>(
  items: Iterable<T>,
  holds: (item: T) => Promise<boolean>,
  limitMs = waitMs,
): Promise<T[]> {
  const end = Date.now() + limitMs;
  const left: T[] = [];
  for (const item of items) {
    const started = Date.now();
    let held = await holds(item);
    while (!held && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, pollMs(started)));
      held = await holds(item);
    }
    if (!held) left.push(item);
  }
  return left;
}

/** Milliseconds until the next poll of a wait since `started`: 5 % of the wait, 10 to 200. */
export const pollMs = (started: number): number => Math.min(200, Math.max(10, (Date.now() - started) / 20));
