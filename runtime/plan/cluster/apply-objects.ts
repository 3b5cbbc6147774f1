import { AzimuthError } from '../../base/errors.ts';
import { isConflict } from '../../kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import type { ObservedPlan } from '../make-plan.ts';
import { foreignFields } from './dry-run.ts';
import { type Applied, appliedOf } from './observe-cluster.ts';

/** How the objects of a plan are applied. */
export interface ApplyPlanOptions {
  readonly fieldManager: string;
  /** Takes fields that other managers have set. */
  readonly forceConflicts: boolean;
  /** Called after each object with a sentence. */
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
}

/**
 * Applies the objects of a plan one by one, by server-side apply: those that others depend on first, ComputeDeployments
 * last. Ends at the first that the API server refuses.
 */
export async function applyObjects(
  client: KubeClient,
  { plan, units, observation, kinds }: ObservedPlan,
  options: ApplyPlanOptions,
): Promise<void> {
  const order = new Map(plan.changes.map(({ namespace, key }, index) => [`${namespace} ${key}`, index]));
  const place = ({ namespace, key }: Applied) => order.get(`${namespace} ${key}`) ?? plan.changes.length;
  const isLast = new Set(units.units.flatMap((unit) => (unit.deployment ? appliedOf(unit).map(({ key }) => key) : [])));
  const objects = units.units.flatMap(appliedOf);
  objects.sort((a, b) => Number(isLast.has(a.key)) - Number(isLast.has(b.key)) || place(a) - place(b));
  for (const each of objects) {
    const { apiVersion, kind } = each.manifest as { apiVersion: string; kind: string };
    const type = kinds.ofManifest(apiVersion, kind);
    if (!type) throw new AzimuthError('AZ_CONFIG_INVALID', `The cluster does not serve ${kind} of ${apiVersion}`);
    await applyObject(client, type, each, observation.managers, options);
    options.report(`${each.key} (${each.namespace}) applied`);
  }
}

async function applyObject(
  client: KubeClient,
  type: ResourceType,
  { key, namespace, manifest }: Applied,
  managers: ReadonlySet<string>,
  { fieldManager, forceConflicts, signal }: ApplyPlanOptions,
): Promise<void> {
  const metadata = { ...(manifest['metadata'] as KubeObject['metadata']), namespace };
  const object = { ...manifest, metadata } as KubeObject;
  const apply = (force: boolean) => client.apply(type, object, { fieldManager, force, ...(signal && { signal }) });
  try {
    await apply(forceConflicts);
  } catch (error) {
    if (!isConflict(error)) throw error;
    const foreign = foreignFields(error, managers);
    if (foreign.length === 0) return void (await apply(true));
    const fix = '--force-conflicts takes them; plan again for what is left';
    throw new AzimuthError('AZ_KUBE_STATUS', `${key}: other field managers have set ${foreign.join(', ')}: ${fix}`);
  }
}
