import { lstatSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname } from 'node:path';
import type { HttpAnswer } from '../../azure/http-call.ts';
import { tryParseJson } from '../../base/json.ts';
import type { PodReference } from '../options/volume-spec.ts';

/** A request for a token of a pod. */
export interface DaemonRequest {
  /** Audience of the token. */
  readonly resource: string;
  readonly pod: PodReference;
  readonly signal?: AbortSignal | undefined;
}

/** A client of the node daemon. */
export interface NodeDaemon {
  /** Name of the daemon in messages. */
  readonly description: string;
  /** Requests a token. Rejects where no answer arrives, or with the signal's reason. */
  ask(request: DaemonRequest): Promise<HttpAnswer>;
}

/** Time limit of a request. */
export interface NodeDaemonOptions {
  /** Longest wait for the answer, in milliseconds. @default 60000 */
  readonly timeoutMs?: number;
}

/** Most bytes of an answer; tokens have a few KB. */
const mostBytes = 256 * 1024;

/**
 * A client of the node daemon's Unix socket. Accepts only a socket of root or of this process's user, so that no other
 * program of the node can pose as the daemon, read requests or issue tokens.
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
            // A recreated pod of the same name has its own identities.
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
            resolve({ status: response.statusCode ?? 0, headers, text, body: tryParseJson(text) });
          });
        });
        request.end();
      }),
  };
}

/** Throws where others than root own or may write the socket or its directory: they could replace the socket. */
function refuseForeignSocket(path: string): void {
  for (const place of [dirname(path), path]) {
    const { uid, mode } = lstatSync(place);
    if (uid !== 0 && uid !== process.getuid?.()) throw new Error(`${place} belongs to the user ${uid}, not to root`);
    if ((mode & 0o022) !== 0) throw new Error(`others than root may write ${place}`);
  }
}
