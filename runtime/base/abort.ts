/** Calls `act` with the reason of the first signal that aborts, at once if one has. Returns how to call it off. */
export function onAbort(signals: readonly AbortSignal[], act: (reason: Error) => void): () => void {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) {
    act(aborted.reason);
    return () => undefined;
  }
  const listener = (event: Event) => {
    forget();
    act((event.target as AbortSignal).reason);
  };
  const forget = () => {
    for (const signal of signals) signal.removeEventListener('abort', listener);
  };
  for (const signal of signals) signal.addEventListener('abort', listener);
  return forget;
}

/** Waits for a shared promise no longer than this caller wants to. */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
