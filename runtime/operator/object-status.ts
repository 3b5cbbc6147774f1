import type { Condition } from '../api/common-schemas.ts';
import { operatorName } from '../arm-kinds/names.ts';
import { canonicalJson, isObject } from '../base/json.ts';
import type { KubeClient, KubeObject, ResourceType } from '../kube/client/types.ts';
import { objectKeyOf } from '../kube/controller/mappers.ts';
import { type Readiness, withReadiness } from './objects/conditions.ts';

/** The input of a status write. */
export interface StatusWrite {
  readonly client: KubeClient;
  readonly type: ResourceType;
  readonly object: KubeObject;
  /** Members of the status beside the conditions. */
  readonly members: Readonly<Record<string, unknown>>;
  readonly readiness: Readiness;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Replaces the status of an object that is no Azure resource, if it changes: a status of another object of the same name
 * is not touched. Members that somebody else wrote into it go, since only the operator writes it.
 */
export async function writeObjectStatus(write: StatusWrite): Promise<void> {
  const { client, type, object, members, readiness, now, signal } = write;
  const { uid = '', generation } = object.metadata;
  const old: unknown = object['status'];
  const oldConditions = isObject(old) && Array.isArray(old['conditions']) ? (old['conditions'] as Condition[]) : [];
  const status = {
    ...members,
    conditions: withReadiness(oldConditions.slice(0, 10), readiness, generation, now),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
  if (canonicalJson(status) === canonicalJson(old ?? {})) return;
  const operations = [
    { op: 'test', path: '/metadata/uid', value: uid },
    { op: 'add', path: '/status', value: status },
  ] as const;
  const options = { subresource: 'status', fieldManager: operatorName, signal };
  await client.patch(type, objectKeyOf(object), { type: 'json', operations }, options);
}
