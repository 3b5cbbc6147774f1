import { deploymentKinds, machineKinds, operatorKinds, podIdentityKinds, resourceOf } from '../../api/kinds.ts';
import { addNamedKinds } from '../../api/named-kinds.ts';
import { messageOf } from '../../base/errors.ts';
import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import { paginate } from '../../kube/client/paginate.ts';
import { isForbidden, isNotFound } from '../../kube/client/status-error.ts';
import type { KubeClient } from '../../kube/client/types.ts';
import { discoverKinds } from '../read/discover.ts';

/** Kinds as `group/Kind`, sorted. */
export interface KindsInUse {
  /** Kinds of Azure resources that objects have or name. */
  readonly kinds: readonly string[];
  /** Defined kinds of Azure resources without an object, which no listed object names. */
  readonly unused: readonly string[];
  /** Kinds that objects name and the cluster does not define. */
  readonly notDefined: readonly string[];
  /** Kinds that the caller may not list: they may be needed or not. */
  readonly notListed: readonly string[];
  /** Lists and groups that failed otherwise, each with the reason. */
  readonly problems: readonly string[];
}

/** Lists at a time. */
const lists = 8;

const resources = new Set(operatorKinds.map(nameOf));
const wanted = [...operatorKinds, ...podIdentityKinds, ...machineKinds, ...deploymentKinds].map((kind) => ({
  type: resourceOf(kind),
}));

/** Reads which kinds the objects of a cluster need, page by page. Throws where `/apis` cannot be read. */
export async function kindsInUse(client: KubeClient, signal?: AbortSignal): Promise<KindsInUse> {
  const discovery = await discoverKinds(client, wanted, signal);
  const needed = new Set<string>();
  const notListed: string[] = [];
  const problems = [...discovery.problems];
  await forEachAtMost(lists, discovery.kinds, async ({ type }) => {
    try {
      for await (const page of paginate(client, type, { limit: 250, signal })) {
        for (const { spec } of page.items) addNamedKinds({ group: type.group, kind: type.kind, spec }, needed);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (isForbidden(error)) notListed.push(nameOf(type));
      else if (!isNotFound(error)) problems.push(`${nameOf(type)}: ${messageOf(error)}`);
    }
  });
  const defined = new Set(discovery.kinds.map(({ type }) => nameOf(type)).filter((name) => resources.has(name)));
  // Of these nothing is known: a problem begins with the name of its group or kind.
  const unknown = new Set([...notListed, ...problems.map((problem) => problem.slice(0, problem.indexOf(':')))]);
  const isKnown = (name: string) => !unknown.has(name) && !unknown.has(name.split('/')[0] ?? '');
  return {
    kinds: [...needed].sort(),
    unused: [...defined].filter((name) => !needed.has(name) && isKnown(name)).sort(),
    notDefined: [...needed].filter((name) => !defined.has(name) && isKnown(name)).sort(),
    notListed: notListed.sort(),
    problems: problems.sort(),
  };
}

function nameOf({ group, kind }: { readonly group: string; readonly kind: string }): string {
  return `${group}/${kind}`;
}
