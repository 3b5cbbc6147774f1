/**
 * Calls `work` for each item in order, for at most `limit` of them at a time. Rejects with the first error; no item starts
 * after it.
 */
export async function forEachAtMost<T>(
  limit: number,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items[Symbol.iterator]();
  let isFailed = false;
  const worker = async () => {
    for (let next = queue.next(); !next.done && !isFailed; next = queue.next()) await work(next.value);
  };
  const workers = Array.from({ length: limit }, () =>
    worker().catch((error: unknown) => {
      isFailed = true;
      throw error;
    }),
  );
  await Promise.all(workers);
}
