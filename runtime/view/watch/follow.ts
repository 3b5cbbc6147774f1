import { computeDeployment } from '../../api/deployments/compute-deployment.ts';
import { computeRun } from '../../api/deployments/compute-run.ts';
import { resourceOf } from '../../api/kinds.ts';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { createLogger } from '../../base/observability/log.ts';
import { createMetrics } from '../../base/observability/metrics.ts';
import { Reflector } from '../../kube/cache/reflector.ts';
import type { Runtime } from '../../kube/cache/types.ts';
import { isUnserved, KubeStatusError } from '../../kube/client/status-error.ts';
import { apiVersionOf, type KubeClient, type KubeObject, type ObjectKey } from '../../kube/client/types.ts';
import { type RunView, runView, type WatchedRun } from './run-view.ts';

/** Inputs of following a deployment. */
export interface Follow {
  readonly client: KubeClient;
  readonly clock: Clock;
  readonly key: ObjectKey;
  readonly show: (view: RunView) => void;
  /** Called when the API server does not answer, with the reason. */
  readonly onTrouble: (message: string) => void;
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** Milliseconds between two checks of the watched objects. @default 500 */
  readonly everyMs?: number;
}

const deploymentType = resourceOf(computeDeployment);
const runType = resourceOf(computeRun);

/**
 * Shows the present run of a deployment until it ends. Undefined when the signal came first. Throws KubeStatusError where
 * there is no such deployment, or the caller may not read it or its runs, and AZ_KIND_UNKNOWN without the definition.
 */
export async function followDeployment(follow: Follow): Promise<'Succeeded' | 'Failed' | undefined> {
  const { client, clock, key, show, onTrouble, signal, everyMs = 500 } = follow;
  await client.get(deploymentType, key, signal).catch((error: unknown) => {
    if (!(error instanceof KubeStatusError && isUnserved(error))) throw error;
    const message = `The cluster does not serve ${deploymentType.kind} of ${apiVersionOf(deploymentType)}: add deployments to AZIMUTH_PROGRAMS, and apply the definitions`;
    throw new AzimuthError('AZ_KIND_UNKNOWN', message);
  });
  // A watch that is forbidden would be tried again for ever.
  await client.list(runType, { ...(key.namespace !== undefined && { namespace: key.namespace }), limit: 1, signal });
  const stop = new AbortController();
  const runtime: Runtime = {
    client,
    clock,
    log: createLogger('watch', { level: 'silent' }),
    metrics: createMetrics(),
  };
  const namespaces = key.namespace === undefined ? {} : { namespaces: [key.namespace] };
  const deployments = new Reflector(runtime, {
    type: deploymentType,
    ...namespaces,
    fieldSelector: `metadata.name=${key.name}`,
    project: withoutSpec,
  });
  const runs = new Reflector<WatchedRun>(runtime, {
    type: runType,
    ...namespaces,
    project: (run) => ofDeployment(run, key.name),
  });
  const both = AbortSignal.any([signal, stop.signal]);
  const watching = [deployments, runs].map((reflector) => reflector.run(both));
  try {
    await Promise.all([deployments.whenSynced(both), runs.whenSynced(both)]);
    let trouble = '';
    for (;;) {
      const deployment = deployments.get(key);
      const view = deployment ? runView(deployment, runs.list()) : gone(key);
      show(view);
      if (view.end) return view.end;
      const found = deployments.trouble() ?? runs.trouble() ?? '';
      if (found !== '' && found !== trouble) onTrouble(found);
      trouble = found;
      await clock.sleep(everyMs, both);
    }
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    stop.abort();
    await Promise.all(watching);
  }
}

const gone = ({ name }: ObjectKey): RunView => ({ title: `${name} was deleted`, state: '', lines: [], end: 'Failed' });

function withoutSpec({ apiVersion, kind, metadata, status }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { ...metadata, managedFields: [] }, status };
}

/** Goals are large, and the runs of other deployments do not count. */
function ofDeployment({ apiVersion, kind, metadata, spec, status }: WatchedRun, deployment: string): WatchedRun {
  const { name, namespace, uid, resourceVersion, ownerReferences, creationTimestamp } = metadata;
  const kept = { name, namespace, uid, resourceVersion, ownerReferences, creationTimestamp } as KubeObject['metadata'];
  if (spec?.deployment !== deployment) return { apiVersion, kind, metadata: kept };
  const { goal: _, ...rest } = spec;
  return { apiVersion, kind, metadata: kept, spec: rest, ...(status && { status }) };
}
