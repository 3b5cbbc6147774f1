import { AzimuthError } from '../../base/errors.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';

/** A custom resource to follow. */
export interface Followed {
  readonly type: ResourceType;
  /** Undefined for an object of the cluster. */
  readonly namespace: string | undefined;
  readonly name: string;
}

interface ReadyCondition {
  readonly type: string;
  readonly status: string;
  readonly severity?: string;
  readonly reason?: string;
  readonly message?: string;
}

/**
 * Watches custom resources until each is Ready, and reports every change of a condition. Rejects as soon as one fails
 * for good (severity Error), with its reason and message, and with the signal's reason when that aborts.
 */
export async function followUntilReady(
  client: KubeClient,
  resources: readonly Followed[],
  report: (resource: Followed, text: string, ready: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  await Promise.all(resources.map((resource) => follow(client, resource, report, signal)));
}

async function follow(
  client: KubeClient,
  resource: Followed,
  report: (resource: Followed, text: string, ready: boolean) => void,
  signal: AbortSignal,
): Promise<void> {
  const { type, namespace, name } = resource;
  let reported = '';
  const done = (object: KubeObject): boolean => {
    const ready = readyOf(object);
    if (!ready) return false;
    const ok = ready.status === 'True';
    const text = ok ? 'Ready' : [ready.reason, ready.message].filter(Boolean).join(': ');
    if (text !== reported) report(resource, text, ok);
    reported = text;
    if (ready.severity === 'Error') {
      throw new AzimuthError(
        'AZ_TERMINAL',
        `${type.kind} ${namespace === undefined ? '' : `${namespace}/`}${name} was given up: ${text}`,
      );
    }
    return ok;
  };
  while (!signal.aborted) {
    const current = await client.get(type, { namespace, name }, signal);
    if (done(current)) return;
    const changes = client.watch(type, {
      namespace,
      fieldSelector: `metadata.name=${name}`,
      resourceVersion: current.metadata.resourceVersion as string,
      timeoutSeconds: 60,
      signal,
    });
    for await (const change of changes) if (change.type !== 'BOOKMARK' && done(change.object)) return;
  }
  throw signal.reason;
}

function readyOf(object: KubeObject): ReadyCondition | undefined {
  const conditions: ReadyCondition[] = object['status']?.conditions ?? [];
  return conditions.find(({ type }) => type === 'Ready');
}
