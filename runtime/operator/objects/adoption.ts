import { adoptionTag, annotations } from '../../arm-kinds/names.ts';
import { annotationOf, type UnknownValueReporter } from '../../arm-kinds/policy.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/**
 * Whether an object takes over a resource that existed in Azure before it: always, never, or if its tag
 * allows it.
 */
export type AdoptPolicy = 'always' | 'never' | 'if-tagged';

/** All adoption policies. */
export const adoptPolicies: readonly AdoptPolicy[] = ['always', 'never', 'if-tagged'];

/** Whether a text is an adoption policy. */
export function isAdoptPolicy(text: string): text is AdoptPolicy {
  return (adoptPolicies as readonly string[]).includes(text);
}

type Annotated = { readonly metadata: Pick<KubeObject['metadata'], 'annotations'> };

/** In the order of permission, least first. */
const byPermission: readonly AdoptPolicy[] = ['never', 'if-tagged', 'always'];

/**
 * The adoption policy of an object. The policy of its namespace, else of the operator, is the upper bound; the
 * object's own annotation can only forbid more. An unknown value counts as `never`.
 */
export function adoptPolicyOf(
  object: Annotated,
  namespace: Annotated | undefined,
  fallback: AdoptPolicy,
  unknown?: UnknownValueReporter,
): AdoptPolicy {
  const word = wordOf(object, unknown);
  const most = adoptBoundOf(namespace, fallback, unknown);
  if (word === undefined) return most;
  return byPermission.indexOf(word) < byPermission.indexOf(most) ? word : most;
}

/** The upper bound for the objects of this namespace. */
export function adoptBoundOf(
  namespace: Annotated | undefined,
  fallback: AdoptPolicy,
  unknown?: UnknownValueReporter,
): AdoptPolicy {
  return wordOf(namespace, unknown) ?? fallback;
}

function wordOf(holder: Annotated | undefined, unknown: UnknownValueReporter | undefined): AdoptPolicy | undefined {
  const text = annotationOf(holder, annotations.adopt);
  if (text === undefined || isAdoptPolicy(text)) return text;
  unknown?.(annotations.adopt, text, `it counts as never; use ${adoptPolicies.join(', ')}`);
  return 'never';
}

/**
 * The reason why the operator does not adopt a resource in Azure, with the fix; undefined if it adopts. `bound` is the
 * namespace's.
 */
export function adoptionRefusal(
  { policy, bound }: { readonly policy: AdoptPolicy; readonly bound: AdoptPolicy },
  { metadata: { namespace = '', name } }: KubeObject,
  resourceId: string,
  live: unknown,
): string | undefined {
  if (policy === 'always') return undefined;
  const refused = `${resourceId} exists already and is not adopted, as ${annotations.adopt} is ${policy}`;
  const allow =
    bound === 'always'
      ? `set the annotation ${annotations.adopt} to always`
      : `let the cluster's administrator set ${annotations.adopt} to always on the namespace ${namespace}`;
  if (policy === 'never') return `${refused}: ${allow}, choose another azureName, or delete the resource in Azure`;
  const reference = `${namespace}/${name}`;
  const value = tagOf(live);
  if (value === 'true' || value === reference) return undefined;
  return `${refused} and its tag ${adoptionTag} is ${value === undefined ? 'missing' : 'another'}: set the tag in Azure to ${reference} or true, or ${allow}`;
}

/** Azure compares tag names without case. */
function tagOf(live: unknown): unknown {
  const tags = isObject(live) && isObject(live['tags']) ? live['tags'] : {};
  return Object.entries(tags).find(([name]) => name.toLowerCase() === adoptionTag)?.[1];
}
