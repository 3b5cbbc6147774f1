import { afterEach } from '@jest/globals';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** Calls these when the test ends, the last one first. */
export function afterwards(...close: readonly (() => Promise<unknown>)[]): void {
  closers.push(...close);
}
