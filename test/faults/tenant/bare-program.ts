/**
 * A program that knows no tenants: it answers a request with as many requests to the vault as a mount of the good
 * tenant takes. It has the place and the CPU request of the node agent. What it loses during the attacks, the machine
 * and the embedded Azure lack, and not the programs.
 */
import { createDispatcher } from '../../../runtime/base/http/client.ts';
import { request } from '../../fakes/request.ts';
import { serveJobs } from './child-jobs.ts';

/** The secrets of a vault to read, one after the other. */
export interface BareCall {
  readonly urls: readonly string[];
  readonly token: string;
  readonly caPem: string;
}

let dispatcher: ReturnType<typeof createDispatcher> | undefined;

serveJobs<BareCall, 'done'>(async function* read({ urls, token, caPem }) {
  dispatcher ??= createDispatcher({ ca: caPem, proxy: 'none' });
  for (const url of urls) {
    const answer = await request(url, { dispatcher, headers: { authorization: `Bearer ${token}` } });
    const text = await answer.body.text();
    if (answer.statusCode !== 200) throw new Error(`the vault answered ${answer.statusCode}: ${text.slice(0, 200)}`);
  }
  yield 'done';
});
