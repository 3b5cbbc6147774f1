import { isSecretText } from '../arm-kinds/secret-value.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import { isObject, type JsonObject, jsonHash } from '../base/json.ts';
import { version } from '../base/version.ts';
import { plannableKind } from '../compute/deployments/goal-nodes.ts';
import { opaqueMember } from '../compute/plan/object-changes.ts';
import { isDeployment } from '../compute/plan/plan-units.ts';
import { appliedOf } from './cluster/observe-cluster.ts';
import type { ObservedPlan } from './make-plan.ts';
import type { PlanDocument } from './read-documents.ts';

/** Inputs of a plan beside its documents, so that it can be made again. */
export interface PlanBasis {
  /** Namespace of manifests that name none. */
  readonly namespace: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly fieldManager: string;
  /** Whether Azure was read. */
  readonly live: boolean;
  readonly managedSecretsFeature: string;
}

/** A plan in a file: its documents and basis, and a hash of what was read. It holds no secret. */
export interface SavedPlan extends PlanBasis {
  readonly format: typeof format;
  /** The version of Azimuth that made it. */
  readonly azimuth: string;
  /** URL of the API server. */
  readonly server: string;
  readonly documents: readonly PlanDocument[];
  /** `worldHash` of the plan. */
  readonly world: string;
}

const format = 'azimuth-plan/1';

/**
 * The text of a plan's file, and the number of objects of other kinds, which are left out. Throws AZ_CONFIG_INVALID where a
 * manifest has a secret in clear text.
 */
export function savedPlanText(
  observed: ObservedPlan,
  documents: readonly PlanDocument[],
  basis: PlanBasis & { readonly server: string },
): { readonly text: string; readonly omitted: number } {
  const planned = documents.filter(
    ({ manifest }) => isObject(manifest) && (isDeployment(manifest) || plannableKind(manifest)),
  );
  for (const { manifest, place } of planned) refuseSecrets(manifest, place);
  for (const { nodes, paths } of observed.units.units)
    for (const { key, manifest } of nodes) refuseSecrets(manifest, `${paths.get(key) ?? ''} ${key}`);
  const saved: SavedPlan = { format, azimuth: version, ...basis, documents: planned, world: worldHash(observed) };
  return { text: `${JSON.stringify(saved, undefined, 2)}\n`, omitted: documents.length - planned.length };
}

/** Reads the text of such a file. Throws AZ_CONFIG_INVALID that names the file. */
export function readSavedPlan(name: string, text: string): SavedPlan {
  const refused = (reason: string) => new AzimuthError('AZ_CONFIG_INVALID', `${name} cannot be applied: ${reason}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw refused(`it is no file of azimuth plan --out: ${messageOf(error)}`);
  }
  if (!isObject(value) || value['format'] !== format || !isWhole(value))
    throw refused('it is no file of azimuth plan --out; kubectl applies manifests');
  if (value['azimuth'] !== version)
    throw refused(`azimuth ${String(value['azimuth'])} made it, and this is ${version}: plan again`);
  return value as unknown as SavedPlan;
}

const texts = ['server', 'namespace', 'fieldManager', 'managedSecretsFeature', 'world'] as const;

function isWhole(value: JsonObject): boolean {
  const { documents, now, live } = value;
  const isDocument = (each: unknown) =>
    isObject(each) && isObject(each['manifest']) && typeof each['place'] === 'string';
  if (!Array.isArray(documents) || !documents.every(isDocument)) return false;
  return typeof now === 'number' && typeof live === 'boolean' && texts.every((each) => typeof value[each] === 'string');
}

/**
 * Hash of what a plan was made from: its changes, and which specs the objects in the cluster have. A status that moves
 * does not change it.
 */
export function worldHash({ plan, units, observation }: ObservedPlan): string {
  const keys = units.units.flatMap((unit) => [
    ...unit.nodes.map(({ key }) => [unit.namespace, key] as const),
    ...appliedOf(unit).map(({ namespace, key }) => [namespace, key] as const),
  ]);
  const objects = keys.map(([namespace, key]) => {
    const object = observation.object(namespace, key);
    const { uid, generation } = object && object !== 'Unknown' ? object.metadata : {};
    return [namespace, key, uid ?? object, generation];
  });
  return jsonHash({ changes: plan.changes, objects });
}

function refuseSecrets(value: unknown, path: string): void {
  for (const [name, member] of Object.entries(value ?? {})) {
    const at = Array.isArray(value) ? `${path}[${name}]` : `${path}.${name}`;
    const isText = typeof member === 'string' || Array.isArray(member);
    if (isSecretText(name, member) || (isText && opaqueMember.test(name))) {
      const fix = 'name a Secret in its place, or apply the manifests by kubectl';
      throw new AzimuthError('AZ_CONFIG_INVALID', `${at} may be a secret, and the file of a plan holds none: ${fix}`);
    }
    if (member !== null && typeof member === 'object') refuseSecrets(member, at);
  }
}
