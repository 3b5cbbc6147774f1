import type { ClientRequestArgs, IncomingHttpHeaders } from 'node:http';
import { type Agent, request } from 'node:https';

/** An answer of a metrics port. */
export interface MetricsAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** How a reader asks. */
export interface MetricsRequest extends Pick<ClientRequestArgs, 'path' | 'method' | 'localAddress'> {
  readonly token?: string | undefined;
  readonly agent?: Agent;
}

/** Reads `/metrics` as Prometheus does with `insecureSkipVerify`. Rejects where the connection ends without an answer. */
export function readMetrics(port: number, { token, ...options }: MetricsRequest = {}): Promise<MetricsAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path: '/metrics',
        rejectUnauthorized: false,
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
        ...options,
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('error', reject);
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text, headers: response.headers }));
      },
    );
    sent.on('error', reject).end();
  });
}
