import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** Messages of a view that changes. */
export interface MessageSource {
  /** The next messages, as JSON; empty where there are no changes since the last call. */
  take(): string[];
  /** Resolves when there are changes. Rejects when the view ends or its signal aborts. */
  changed(): Promise<void>;
  /** Whether the messages that were taken are the last ones. */
  readonly ended: boolean;
}

/** Milliseconds in which changes are collected. */
const collectMs = 100;
/** Milliseconds of silence after which a comment shows that the connection lives. */
const quietMs = 20_000;

/**
 * Sends messages as server-sent events until the signal aborts. A slow reader gets fewer and newer messages: while its
 * connection is full nothing is taken from the view, which keeps the newest state of each row only. `last` makes a
 * message of the reason of the signal.
 */
export async function sendStream(
  response: ServerResponse,
  source: MessageSource,
  signal: AbortSignal,
  last: (reason: unknown) => string | undefined = () => undefined,
): Promise<void> {
  const alive = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), quietMs);
  try {
    while (!signal.aborted && !source.ended) {
      for (let messages = source.take(); messages.length > 0; messages = source.take()) {
        for (const message of messages) {
          if (!response.write(`data: ${message}\n\n`)) await once(response, 'drain', { signal });
        }
        if (source.ended) return;
      }
      await source.changed();
      await new Promise((resolve) => setTimeout(resolve, collectMs));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(alive);
    const message = signal.aborted ? last(signal.reason) : undefined;
    // What a reader does not read would stay in memory.
    if (response.writableNeedDrain) response.destroy();
    else response.end(message === undefined ? '' : `data: ${message}\n\n`);
  }
}
