import { lstatSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname } from 'node:path';
import type { HttpAnswer } from '../../azure/http-call.ts';
import type { PodReference } from '../options/volume-request.ts';

export interface DaemonRequest {
  /** Audience of the token. */
  readonly resource: string;
  readonly pod: PodReference;
  readonly signal?: AbortSignal | undefined;
}

/** Asks the node daemon for a token of a pod. Rejects where no answer comes, or with the signal's reason. */
export interface NodeDaemon {
  /** For messages. */
  readonly description: string;
  ask(request: DaemonRequest): Promise<HttpAnswer>;
}

export interface NodeDaemonOptions {
  /** Longest wait for the answer. @default 60000 */
  readonly timeoutMs?: number;
}

/** Tokens have some KB. */
const mostBytes = 256 * 1024;

/**
 * The node daemon at its Unix socket (facts on Key Vault 2, suite "nmi", by another way). Only root may make that socket, so no
 * other program of the node can pretend to be the daemon and read requests or hand out tokens.
 */
export function nodeDaemonAt(socketPath: string, { timeoutMs = 60_000 }: NodeDaemonOptions = {}): NodeDaemon {
  return {
    description: `The node daemon (azimuth nmi) at ${socketPath}`,
    ask: ({ resource, pod, signal }) =>
      new Promise((resolve, reject) => {
        refuseForeignSocket(socketPath);
        const request = httpRequest({
          socketPath,
          path: `/host/token/?${new URLSearchParams({ resource })}`,
          headers: {
            host: 'localhost',
            podns: pod.namespace,
            podname: pod.name,
            // A pod that was made anew under the name has identities of its own.
            ...(pod.uid !== '' && { poduid: pod.uid }),
          },
          agent: false,
          ...(signal && { signal }),
        });
        request.setTimeout(timeoutMs, () => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)));
        request.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
        request.on('response', (response) => {
          const parts: Buffer[] = [];
          let length = 0;
          response.on('data', (part: Buffer) => {
            length += part.length;
            if (length <= mostBytes) parts.push(part);
            else request.destroy(new Error(`its answer has more than ${mostBytes} bytes`));
          });
          response.on('error', (error) => reject(signal?.aborted ? signal.reason : error));
          response.on('end', () => {
            const headers = Object.fromEntries(
              Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
            );
            const text = Buffer.concat(parts).toString('utf8');
            resolve({ status: response.statusCode ?? 0, headers, text, body: tryParse(text) });
          });
        });
        request.end();
      }),
  };
}

/** Whoever else may write the directory could put a socket of their own there. */
function refuseForeignSocket(path: string): void {
  for (const place of [dirname(path), path]) {
    const { uid, mode } = lstatSync(place);
    if (uid !== 0 && uid !== process.getuid?.()) throw new Error(`${place} belongs to the user ${uid}, not to root`);
    if ((mode & 0o022) !== 0) throw new Error(`others than root may write ${place}`);
  }
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
