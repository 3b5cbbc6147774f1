import { AzimuthError } from '../../base/errors.ts';
import type { ClusterChoice } from '../../base/flags/cluster-flags.ts';
import { stopSignal } from '../../base/process/stop-signal.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import type { KubeConnection } from '../../kube/config/connection.ts';
import { findKubeConnection } from '../../kube/config/find-connection.ts';

/** The cluster of a command. */
export interface Cluster {
  readonly client: KubeClient;
  readonly connection: KubeConnection;
  /** Aborts on SIGINT, SIGTERM and after `--timeout`. */
  readonly signal: AbortSignal;
}

/** The connection that the flags choose. Throws AZ_KUBECONFIG_INVALID. */
export function chosenConnection({ kubeconfig, context, cluster }: ClusterChoice): Promise<KubeConnection> {
  return findKubeConnection({
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(context !== undefined && { context }),
    ...(cluster !== undefined && { cluster }),
  });
}

/** Runs a command on the cluster that the flags choose. Throws AZ_TIMED_OUT after `--timeout`. */
export async function withCluster<T>(choice: ClusterChoice, command: (cluster: Cluster) => Promise<T>): Promise<T> {
  const { requestTimeoutMs, timeoutMs } = choice;
  const connection = await chosenConnection(choice);
  // undici takes 0 for no bound.
  const client = createKubeClient(connection, { timeoutMs: requestTimeoutMs ?? 0 });
  const stop = stopSignal();
  const end = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs);
  const signal = end ? AbortSignal.any([stop, end]) : stop;
  try {
    const result = await command({ client, connection, signal });
    if (end?.aborted) throw timedOut(timeoutMs);
    return result;
  } catch (error) {
    throw end?.aborted && !stop.aborted ? timedOut(timeoutMs) : error;
  } finally {
    await client.close();
  }
}

function timedOut(timeoutMs = 0): AzimuthError {
  return new AzimuthError('AZ_TIMED_OUT', `not done after ${timeoutMs / 1000} s; --timeout sets another time`);
}
