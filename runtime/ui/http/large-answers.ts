import type { FairSemaphore } from '../../base/fairness/fair-semaphore.ts';

/** Answers of the API server that are read at a time, of all readers and of one share. */
export const mostLarge = { total: 4, perKey: 2 } as const;
/** Bytes of an answer that needs a place for this, and of a list. */
export const answerBytes = { largeBytes: 16 * 1024, listBytes: 4 * 1024 * 1024 } as const;

/** Waits for a place; the result frees it. Rejects with the signal's reason. */
export function placeOf(semaphore: FairSemaphore, key: string, signal: AbortSignal): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const occupy = () => new Promise<void>((free) => resolve(free));
    semaphore.run(key, signal, occupy).catch(reject);
  });
}
