/** The gates of managed secrets, for the objects of a plan that use them. */
import type { ArmReference } from '../../api/common-schemas.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { someOf } from '../../base/text/some-of.ts';
import type { GoalNode } from '../deployments/goal-nodes.ts';
import { nodeKey } from '../deployments/references.ts';
import { closedGate, type GateObjects } from '../features/feature-consent.ts';
import type { ResourceIds } from './azure-targets.ts';
import type { PlanProblem, PlanUnit } from './change.ts';
import { managedSecretsOf } from './needs.ts';

/** An object of a plan that waits behind the gates of subscriptions. */
export interface GatedObject {
  readonly key: string;
  /** Where it stands in the files, with the member that uses managed secrets. */
  readonly path: string;
  /** Those whose gates count; undefined for one that nobody knows before an apply. */
  readonly subscriptions: readonly (string | undefined)[];
}

/** The machines with managed secrets and the ManagedSecrets of a plan. `ids` are those of its objects. */
export function gatedObjects(units: readonly PlanUnit[], ids: Pick<ResourceIds, 'of'>): GatedObject[] {
  return units.flatMap(({ namespace, nodes, paths }) =>
    nodes.flatMap((node): GatedObject[] => {
      const subscriptionOf = (id: string | undefined) =>
        id === undefined ? undefined : tryParseResourceId(id)?.subscriptionId?.toLowerCase();
      const place = `${paths.get(node.key) ?? ''} ${node.key}`.trim();
      if (node.kind === 'ManagedSecret') {
        const subscriptions = vaultsOf(node.manifest).map(({ armId, group = '', kind = '', name = '' }) =>
          subscriptionOf(armId ?? ids.of(namespace, nodeKey(group, kind, name))),
        );
        return subscriptions.length === 0 ? [] : [{ key: node.key, path: `${place} spec`, subscriptions }];
      }
      if (!usesManagedSecrets(node)) return [];
      const path = `${place} spec.operatorSpec.managedSecrets`;
      return [{ key: node.key, path, subscriptions: [subscriptionOf(ids.of(namespace, node.key))] }];
    }),
  );
}

/** Whether the gate of managed secrets is before the object. */
export function isGated(node: GoalNode): boolean {
  return node.kind === 'ManagedSecret' || usesManagedSecrets(node);
}

function usesManagedSecrets({ manifest }: GoalNode): boolean {
  const { annotations: own } = manifest['metadata'] as { readonly annotations?: Readonly<Record<string, string>> };
  return managedSecretsOf(manifest).length > 0 && own?.[annotations.reconcilePolicy] !== 'skip';
}

function vaultsOf({ spec }: JsonObject): ArmReference[] {
  const { home, regions } = isObject(spec) ? spec : {};
  const places = [home, ...(Array.isArray(regions) ? regions : [])];
  return places.flatMap((place: unknown) => (isObject(place) && isObject(place['vault']) ? [place['vault']] : []));
}

/** One problem for each subscription whose gate is closed at `now` (milliseconds), with the waiting objects. */
export function gateProblems(
  gated: readonly GatedObject[],
  feature: string,
  objects: GateObjects,
  now: number,
): PlanProblem[] {
  const waiting = new Map<string, GatedObject[]>();
  for (const object of gated) {
    for (const subscription of new Set(object.subscriptions)) {
      if (subscription === undefined) continue;
      const waits = waiting.get(subscription) ?? [];
      waits.push(object);
      waiting.set(subscription, waits);
    }
  }
  return [...waiting].flatMap(([subscription, waits]): PlanProblem[] => {
    const reason = closedGate({ subscription, feature }, objects, now);
    const [first] = waits;
    if (reason === undefined || !first) return [];
    const message =
      `the gate of managed secrets is closed: ${reason}. Until the owner of the subscription opens it by a ` +
      `FeatureRegistration and a FeatureApproval, the operator sends nothing for ${someOf(waits.map(({ key }) => key))}`;
    return [{ path: first.path, message }];
  });
}
