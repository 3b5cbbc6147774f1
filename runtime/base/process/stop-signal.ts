/** Aborts on the first SIGTERM or SIGINT; a second one ends the process at once, as people at a terminal expect. */
export function stopSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(1);
      controller.abort(new Error(`The program got the signal to stop (${name})`));
    });
  }
  return controller.signal;
}
