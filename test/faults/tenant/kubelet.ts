/**
 * kubelet's part of the hostile tenant's volumes: kubelet calls the driver, and that the node agent or the provider. It
 * runs in the group of the system's services, because that is who pays for the calls, and not the tenant's pods.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { ProviderClient } from '../../volumes/csi/client.ts';
import { serveJobs } from './child-jobs.ts';

const limitMs = 60_000;
/**
 * How long kubelet waits after the first failure of a volume; later twice as long each time, up to two minutes. A tenant
 * begins again with a new pod. Source: initialDurationBeforeRetry in pkg/util/goroutinemap/exponentialbackoff.
 */
const retryMs = 500;

/** Volumes that are mounted again and again. */
export type KubeletJob =
  | { readonly agent: string; readonly call: Parameters<typeof askAgent>[0]; readonly atOnce: number }
  /** One call for each set of attributes. */
  | { readonly provider: string; readonly attributes: readonly object[] };

/** `mounted`, or the error. */
export type KubeletResult = string;

async function* mountAgain(job: KubeletJob, signal: AbortSignal): AsyncGenerator<KubeletResult> {
  const client = 'provider' in job ? new ProviderClient(job.provider) : undefined;
  const calls =
    'provider' in job
      ? job.attributes.map((each) => () => client?.mount(each))
      : Array.from({ length: job.atOnce }, () => () => {
          const ends = AbortSignal.any([signal, AbortSignal.timeout(limitMs)]);
          return askAgent(job.call, { socket: job.agent, timeoutMs: limitMs, signal: ends });
        });
  const results: KubeletResult[] = [];
  let wake = () => {};
  signal.addEventListener('abort', () => wake());
  const again = async (call: () => Promise<unknown> | undefined) => {
    while (!signal.aborted) {
      const result = await Promise.resolve(call()).then(
        () => 'mounted',
        (error: Error & { details?: string }) => error.details ?? error.message,
      );
      results.push(result);
      wake();
      if (result !== 'mounted') await pause(retryMs, undefined, { signal }).catch(() => undefined);
    }
  };
  const all = Promise.all(calls.map(again));
  while (!signal.aborted) {
    yield* results.splice(0);
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  await all;
  client?.close();
}

serveJobs(mountAgain);
