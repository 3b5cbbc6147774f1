import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { parse } from 'yaml';
import type { Unstructured } from '../../../sandbox/kube/model/types.ts';

export interface RawAnswer {
  readonly status: number;
  readonly body: Unstructured;
}

/** One HTTPS call with the client certificate of the kubeconfig that KUBECONFIG names; no conveniences, no retries. */
export function rawApi(): (method: string, path: string, body?: unknown, contentType?: string) => Promise<RawAnswer> {
  const file = process.env['KUBECONFIG'];
  if (!file) throw new Error('KUBECONFIG must name the kubeconfig of a test cluster');
  const config = parse(readFileSync(file, 'utf8')) as Unstructured;
  const { cluster } = config['clusters'][0];
  const { user } = config['users'][0];
  const pem = (data: string | undefined, path: string | undefined) =>
    data ? Buffer.from(data, 'base64') : path ? readFileSync(path) : undefined;
  const options = {
    ca: pem(cluster['certificate-authority-data'], cluster['certificate-authority']),
    cert: pem(user['client-certificate-data'], user['client-certificate']),
    key: pem(user['client-key-data'], user['client-key']),
  };
  return (method, path, body, contentType = 'application/json') =>
    new Promise((resolve, reject) => {
      const call = request(
        new URL(path, cluster.server),
        { ...options, method, headers: { 'content-type': contentType } },
        (answer) => {
          const chunks: Buffer[] = [];
          answer.on('data', (chunk: Buffer) => chunks.push(chunk));
          answer.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            // A path that is not served yet answers in plain text.
            resolve({ status: answer.statusCode ?? 0, body: text.startsWith('{') ? JSON.parse(text) : { text } });
          });
        },
      );
      call.on('error', reject);
      call.end(body === undefined ? undefined : JSON.stringify(body));
    });
}
