import { connect } from 'node:net';

/**
 * Sends a text over a Unix socket, then resolves to what came until the other side ended; `onData` is called for each part.
 * Rejects with the reason of the connection or of the signal. The executable has slim-socket.ts here.
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
