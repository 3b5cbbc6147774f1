import { normalizeText } from '../base/text/normalize.ts';
import type { KubeObject } from '../kube/client/types.ts';
import { annotations } from './names.ts';

/** The rights of the operator in Azure: everything; only read; everything but delete. */
export type ReconcilePolicy = 'manage' | 'skip' | 'detach-on-delete';

/** Values of the annotation reconcile-policy. */
export const reconcilePolicies: readonly ReconcilePolicy[] = ['manage', 'skip', 'detach-on-delete'];

/** Whether the text is a reconcile policy. */
export function isReconcilePolicy(text: string): text is ReconcilePolicy {
  return (reconcilePolicies as readonly string[]).includes(text);
}

type Annotated = { readonly metadata: Pick<KubeObject['metadata'], 'annotations'> };

/** The text of an annotation that people write, normalised; undefined where it is absent. */
export function annotationOf(object: Annotated | undefined, annotation: string): string | undefined {
  const text = object?.metadata.annotations?.[annotation];
  return text === undefined ? undefined : normalizeText(text);
}

/** Called with a value that is no policy. */
export type UnknownValueReporter = (annotation: string, word: string, fix: string) => void;

/** The object's annotation, else its namespace's, else the default. An unknown word counts as none, as in ASO v2. */
export function policyOf(
  object: Annotated,
  namespace: Annotated | undefined,
  fallback: ReconcilePolicy,
  unknown?: UnknownValueReporter,
): ReconcilePolicy {
  for (const holder of [object, namespace]) {
    const text = annotationOf(holder, annotations.reconcilePolicy);
    if (text === undefined) continue;
    if (isReconcilePolicy(text)) return text;
    unknown?.(annotations.reconcilePolicy, text, `it is ignored; use ${reconcilePolicies.join(', ')}`);
  }
  return fallback;
}
