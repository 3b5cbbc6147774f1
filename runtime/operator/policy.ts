import type { Logger } from '../base/log.ts';
import type { KubeObject } from '../kube/types.ts';
import { annotations } from './names.ts';

/** What may be done in Azure: everything; only look; everything but delete. */
export type ReconcilePolicy = 'manage' | 'skip' | 'detach-on-delete';

export const reconcilePolicies: readonly ReconcilePolicy[] = ['manage', 'skip', 'detach-on-delete'];

export function isReconcilePolicy(text: string): text is ReconcilePolicy {
  return (reconcilePolicies as readonly string[]).includes(text);
}

type Annotated = { readonly metadata: Pick<KubeObject['metadata'], 'annotations'> };

/** The object's annotation, else its namespace's, else the default. An unknown word counts as none and is logged. */
export function policyOf(
  object: Annotated,
  namespace: Annotated | undefined,
  fallback: ReconcilePolicy,
  log: Logger,
): ReconcilePolicy {
  for (const holder of [object, namespace]) {
    const text = holder?.metadata.annotations?.[annotations.reconcilePolicy];
    if (text === undefined) continue;
    if (isReconcilePolicy(text)) return text;
    log.warn({ policy: text, known: reconcilePolicies }, 'unknown reconcile policy is ignored');
  }
  return fallback;
}
