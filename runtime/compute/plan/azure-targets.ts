import { comparedBody } from '../../arm-kinds/body/compared-body.ts';
import type { ArmModel, ExistingOwner } from '../../arm-kinds/model.ts';
import { annotations } from '../../arm-kinds/names.ts';
import { SecretValue } from '../../arm-kinds/secret-value.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { groupOf, nodeKey } from '../deployments/references.ts';
import type { PlanUnit } from './change.ts';
import { ignoredFields } from './ignored-fields.ts';
import { modelOf } from './needs.ts';
import type { PlanObservation } from './observation.ts';

/** A resource that Azure has to be asked about. */
export interface AzureTarget {
  readonly namespace: string;
  readonly key: string;
  /** ARM id. */
  readonly id: string;
  readonly apiVersion: string;
  readonly model: ArmModel;
  /** The object as it would be, with the annotations that it has now. */
  readonly object: KubeObject;
  /** The object as the cluster has it. */
  readonly present: KubeObject | undefined;
  /** Body of the PUT; parts that nobody knows before an apply are undefined, secrets are marked. */
  readonly body: JsonObject;
  /** The body as it is compared: without the fields that are left to others. */
  readonly compared: JsonObject | undefined;
}

/** The targets of a plan, and which of its objects have none. */
export interface AzureTargets {
  readonly targets: readonly AzureTarget[];
  /** Keys of objects whose ARM id depends on unknown values. */
  readonly unknown: readonly string[];
  /** Resources of templates whose ARM id only the expansion assumes. */
  readonly assumed: readonly AzureTarget[];
  /** Keys of objects that are no resources of ARM. */
  readonly elsewhere: readonly string[];
}

/** Longest chain of owners; ARM ids have about six levels. */
const maxLevels = 20;

/** Subscription of an object that does not say; undefined where unknown. */
export type SubscriptionOf = (object: KubeObject) => string | undefined;

/** The resources of a plan by their ARM ids. */
export function azureTargets(
  units: readonly PlanUnit[],
  observation: PlanObservation,
  subscriptionOf: SubscriptionOf,
): AzureTargets {
  const planned = plannedObjects(units, observation);
  const ids = new ResourceIds(planned, observation, subscriptionOf);
  const targets: AzureTarget[] = [];
  const unknown: string[] = [];
  const assumed: AzureTarget[] = [];
  const elsewhere: string[] = [];
  for (const { namespace, nodes } of units) {
    for (const { key, group, kind, armId } of nodes) {
      const model = modelOf(group, kind);
      if (!model) continue;
      if (model.definition.arm?.dataPlane) {
        elsewhere.push(key);
        continue;
      }
      const id = ids.of(namespace, key);
      if (id === undefined) unknown.push(key);
      const present = observation.object(namespace, key);
      const known = present === 'Unknown' ? undefined : present;
      const object = planned.get(`${namespace} ${key}`) as KubeObject;
      const body = model.body(object, ids.inputs(namespace, model, object));
      const compared = comparedBody(model, body, ignoredFields(model, object).paths);
      const apiVersion = model.apiVersion(object);
      const target = { namespace, key, apiVersion, model, object, present: known, body, compared };
      if (id !== undefined) targets.push({ ...target, id });
      else if (armId !== undefined) assumed.push({ ...target, id: armId });
    }
  }
  return { targets, unknown, assumed, elsewhere };
}

/** The objects of a plan as they would be, with the annotations that they have now, by namespace and key. */
export function plannedObjects(
  units: readonly PlanUnit[],
  observation: PlanObservation,
): ReadonlyMap<string, KubeObject> {
  const planned = new Map<string, KubeObject>();
  for (const { namespace, nodes } of units) {
    for (const { key, manifest } of nodes) {
      const present = observation.object(namespace, key);
      const known = present === 'Unknown' ? undefined : present;
      planned.set(`${namespace} ${key}`, withAnnotations(plannedObject(namespace, manifest), known));
    }
  }
  return planned;
}

function plannedObject(namespace: string, manifest: JsonObject): KubeObject {
  return { ...manifest, metadata: { ...(manifest['metadata'] as object), namespace } } as KubeObject;
}

function withAnnotations(object: KubeObject, present: KubeObject | undefined): KubeObject {
  const merged = { ...present?.metadata.annotations, ...object.metadata.annotations };
  return { ...object, metadata: { ...object.metadata, annotations: merged } };
}

/** ARM ids of objects that the operator has recorded, or that follow from owners and names. */
export class ResourceIds {
  readonly #planned: ReadonlyMap<string, KubeObject>;
  readonly #observation: PlanObservation;
  readonly #subscriptionOf: SubscriptionOf;

  constructor(planned: ReadonlyMap<string, KubeObject>, observation: PlanObservation, subscriptionOf: SubscriptionOf) {
    this.#planned = planned;
    this.#observation = observation;
    this.#subscriptionOf = subscriptionOf;
  }

  /** Undefined where it is not known. */
  of(namespace: string, key: string, level = 0): string | undefined {
    const present = this.#observation.object(namespace, key);
    if (present === 'Unknown' || level > maxLevels) return undefined;
    const recorded = present?.metadata.annotations?.[annotations.resourceId];
    const object = this.#planned.get(`${namespace} ${key}`) ?? present;
    const model = object && modelOf(groupOf(object.apiVersion), object.kind);
    if (!object || !model) return undefined;
    // Anybody who may write the object may write the annotation.
    const type = recorded === undefined ? undefined : tryParseResourceId(recorded)?.type;
    if (type?.toLowerCase() === model.armType(object).toLowerCase()) return recorded;
    const owner = this.#owner(namespace, model, object, level);
    const subscriptionId = this.#subscriptionOf(object);
    // Without a subscription only an id below an owner is complete.
    if (owner === 'Unknown' || (!owner && subscriptionId === undefined)) return undefined;
    try {
      return model.resourceId(object, owner, subscriptionId ?? '');
    } catch (error) {
      if (error instanceof AzimuthError) return undefined;
      throw error;
    }
  }

  /** Values of references and Secrets by their paths: ARM ids where they are known, markers for secrets. */
  inputs(namespace: string, model: ArmModel, object: KubeObject): ReadonlyMap<string, unknown> {
    const found = new Map<string, unknown>();
    for (const input of model.inputs(object)) {
      if (input.type === 'literal') found.set(input.path, input.value);
      if (input.type === 'secret') found.set(input.path, new SecretValue(undefined));
      if (input.type !== 'reference') continue;
      const { armId, group = '', kind = '', name = '' } = input.reference;
      const id = armId ?? this.of(namespace, nodeKey(group, kind, name));
      if (id !== undefined) found.set(input.path, id);
    }
    return found;
  }

  #owner(namespace: string, model: ArmModel, object: KubeObject, level: number): ExistingOwner | 'Unknown' | undefined {
    const link = model.owner(object);
    if (!link) return needsOwner(model, object) ? 'Unknown' : undefined;
    if ('armId' in link) return link;
    for (const kind of link.kinds) {
      const key = nodeKey(link.group, kind, link.name);
      const isThere =
        this.#planned.has(`${namespace} ${key}`) || this.#observation.object(namespace, key) !== undefined;
      const armId = isThere ? this.of(namespace, key, level + 1) : undefined;
      if (armId !== undefined) return { armId };
    }
    return 'Unknown';
  }
}

function needsOwner({ definition }: ArmModel, object: KubeObject): boolean {
  const spec: unknown = object['spec'];
  return definition.arm?.owner !== undefined && definition.arm?.owner !== null && !(isObject(spec) && spec['owner']);
}
