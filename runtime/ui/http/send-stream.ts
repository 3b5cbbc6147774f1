import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { StreamMessage } from '../messages.ts';

/** Messages of a view that changes. */
export interface MessageSource {
  /** The changes since the last call, as few messages as possible. Empty if there are none. */
  take(): StreamMessage[];
  /** Resolves when there are changes. Rejects when the view ends or its signal aborts. */
  changed(): Promise<void>;
}

/** Milliseconds in which changes are collected. */
const collectMs = 100;
/** Milliseconds of silence after which a comment shows that the connection lives. */
const quietMs = 20_000;

/**
 * Sends messages as server-sent events until the signal aborts. A slow reader gets fewer and newer messages: while its
 * connection is full nothing is taken from the view, which keeps the newest state of each row only.
 */
export async function sendStream(response: ServerResponse, source: MessageSource, signal: AbortSignal): Promise<void> {
  const alive = setInterval(() => response.writableNeedDrain || response.write(':\n\n'), quietMs);
  try {
    while (!signal.aborted) {
      const messages = source.take();
      for (const message of messages) {
        const free = response.write(`data: ${JSON.stringify(message)}\n\n`);
        if (!free) await once(response, 'drain', { signal });
        if (message.type === 'end') return;
      }
      await source.changed();
      await new Promise((resolve) => setTimeout(resolve, collectMs));
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    clearInterval(alive);
    response.end();
  }
}
