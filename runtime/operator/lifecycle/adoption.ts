import { adoptionTag, annotations } from '../../arm-kinds/names.ts';
import type { UnknownWord } from '../../arm-kinds/policy.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** What becomes of a resource that is in Azure before the object sent anything: taken over, refused, or as it says. */
export type AdoptPolicy = 'always' | 'never' | 'if-tagged';

export const adoptPolicies: readonly AdoptPolicy[] = ['always', 'never', 'if-tagged'];

export function isAdoptPolicy(text: string): text is AdoptPolicy {
  return (adoptPolicies as readonly string[]).includes(text);
}

type Annotated = { readonly metadata: Pick<KubeObject['metadata'], 'annotations'> };

/** From the policy that allows nothing to the one that allows everything. */
const byPermission: readonly AdoptPolicy[] = ['never', 'if-tagged', 'always'];

/**
 * The policy of the namespace, else the operator's, is the most that an object may have; its own annotation can only
 * forbid more. An unknown word counts as `never`.
 */
export function adoptPolicyOf(
  object: Annotated,
  namespace: Annotated | undefined,
  fallback: AdoptPolicy,
  unknown?: UnknownWord,
): AdoptPolicy {
  const own = wordOf(object, unknown);
  const most = adoptBoundOf(namespace, fallback, unknown);
  if (own === undefined) return most;
  return byPermission.indexOf(own) < byPermission.indexOf(most) ? own : most;
}

/** The most that an object of this namespace may have. */
export function adoptBoundOf(
  namespace: Annotated | undefined,
  fallback: AdoptPolicy,
  unknown?: UnknownWord,
): AdoptPolicy {
  return wordOf(namespace, unknown) ?? fallback;
}

function wordOf(holder: Annotated | undefined, unknown: UnknownWord | undefined): AdoptPolicy | undefined {
  const text = holder?.metadata.annotations?.[annotations.adopt];
  if (text === undefined || isAdoptPolicy(text)) return text;
  unknown?.(annotations.adopt, text, `it counts as never; use ${adoptPolicies.join(', ')}`);
  return 'never';
}

/** Why a resource found in Azure is not taken over, and what to do; undefined if it is. `bound` is the namespace's. */
export function adoptionRefusal(
  { policy, bound }: { readonly policy: AdoptPolicy; readonly bound: AdoptPolicy },
  { metadata: { namespace = '', name } }: KubeObject,
  resourceId: string,
  live: unknown,
): string | undefined {
  if (policy === 'always') return undefined;
  const refused = `${resourceId} exists already and is not taken over, as ${annotations.adopt} is ${policy}`;
  const allow =
    bound === 'always'
      ? `set the annotation ${annotations.adopt} to always`
      : `let the cluster's administrator set ${annotations.adopt} to always on the namespace ${namespace}`;
  if (policy === 'never') return `${refused}: ${allow}, choose another azureName, or delete the resource in Azure`;
  const wanted = `${namespace}/${name}`;
  const value = tagOf(live);
  if (value === 'true' || value === wanted) return undefined;
  return `${refused} and its tag ${adoptionTag} is ${value === undefined ? 'missing' : 'another'}: set the tag in Azure to ${wanted} or true, or ${allow}`;
}

/** Names of tags have no case. */
function tagOf(live: unknown): unknown {
  const tags = isObject(live) && isObject(live['tags']) ? live['tags'] : {};
  return Object.entries(tags).find(([name]) => name.toLowerCase() === adoptionTag)?.[1];
}
