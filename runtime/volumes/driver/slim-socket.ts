import { connect } from 'bun';
import type { exchange as exchangeByNode } from './agent-socket.ts';

/**
 * agent-socket.ts with Bun's sockets, because loading node:net takes as much CPU time as Bun's start
 * (docs/adr/0019-kv-driver-on-bun.md). `npm run build:kv` puts this file in its place; no file imports this one.
 */
export const exchange: typeof exchangeByNode = (path, text, signal, onData) =>
  new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let rest = Buffer.from(text);
    const send = (socket: { write(data: Uint8Array): number; shutdown(): void }) => {
      // `write` accepts the bytes that fit the buffer; Bun calls `drain` when there is room again.
      rest = rest.subarray(Math.max(socket.write(rest), 0));
      if (rest.length === 0) socket.shutdown();
    };
    const abort = () => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) return abort();
    connect({
      unix: path,
      socket: {
        open: send,
        drain: send,
        data: (_, part) => {
          parts.push(Buffer.from(part));
          onData();
        },
        error: (_, error) => reject(error),
        close: () => resolve(Buffer.concat(parts).toString('utf8')),
      },
    }).catch(reject);
  });
