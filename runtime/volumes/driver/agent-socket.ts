import { connect } from 'node:net';

/**
 * Sends a text over a Unix socket and resolves to the bytes of the other side as text; calls `onData` for each chunk.
 * Rejects with the error of the connection or the reason of the signal. The build replaces this file with
 * slim-socket.ts.
 */
export function exchange(path: string, text: string, signal: AbortSignal, onData: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const connection = connect({ path, signal });
    connection.on('data', (part) => {
      parts.push(part);
      onData();
    });
    connection.on('error', (error) => reject(signal.aborted ? signal.reason : error));
    connection.on('close', () => resolve(Buffer.concat(parts).toString('utf8')));
    connection.end(text);
  });
}
