/** Polls until `check` holds; throws with `what` after a limit that only ends what hangs. */
export async function eventually(
  what: string,
  check: () => boolean | Promise<boolean>,
  limitMs = 150_000,
): Promise<void> {
  const started = Date.now();
  const deadline = started + limitMs;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`Not reached within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs(started)));
  }
}

/** Milliseconds until the next look for something that is waited for since `started`: 5 % of the wait, 10 to 200. */
export const pollMs = (started: number): number => Math.min(200, Math.max(10, (Date.now() - started) / 20));
