import type { Condition } from '../../api/common-schemas.ts';
import { computeRun, type RunState } from '../../api/deployments/compute-run.ts';
import { reasons } from '../../arm-kinds/names.ts';
import { isObject } from '../../base/json.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { noConditions } from './forest.ts';
import type { State } from './row.ts';

/** State, reason and message of an object, from its status. */
export interface ObjectState {
  readonly state: State;
  readonly reason: string;
  readonly message: string;
}

/** Reasons under which something else has to happen first: an object to appear, or a person to decide. */
const waiting: ReadonlySet<string> = new Set([
  reasons.waitingForOwner,
  reasons.referenceNotFound,
  reasons.secretNotFound,
  reasons.configMapNotFound,
  reasons.blocked,
  reasons.adoptionRefused,
  'ApprovalMissing',
  'AzureApprovalPending',
  'FeatureNotRegistered',
  'IdentityNotFound',
  'WaitingForFeature',
]);

/** `status.status` of an AzureAssignedIdentity. */
const assigned: Readonly<Record<string, State>> = {
  Assigned: 'Ready',
  Created: 'Reconciling',
  Unassigned: 'Deleting',
};

/** `status.state` of a ComputeRun. One that another run took the place of is over, and needs nobody. */
const runs: Readonly<Record<RunState, State>> = {
  Pending: 'Reconciling',
  Running: 'Reconciling',
  Paused: 'Blocked',
  Suspended: 'Blocked',
  Succeeded: 'Ready',
  Superseded: 'Ready',
  Failed: 'Failed',
  Cancelled: 'Failed',
  Refused: 'Failed',
};

/** Conditions that are read; further ones are not. */
const mostConditions = 50;

/** The conditions of an object that have the form of conditions, at most 50. */
export function conditionsOf(object: KubeObject): Condition[] {
  const status: unknown = object['status'];
  const conditions = isObject(status) ? status['conditions'] : undefined;
  if (!Array.isArray(conditions)) return [];
  return conditions.slice(0, mostConditions).filter((each): each is Condition => {
    return isObject(each) && typeof each['type'] === 'string' && typeof each['status'] === 'string';
  });
}

/** The state of an object by its Ready condition. One that was found for an older spec does not count as Ready. */
export function stateOf(object: KubeObject): ObjectState {
  const ready = conditionsOf(object).find(({ type }) => type === 'Ready');
  const reason = textOf(ready?.reason);
  const message = textOf(ready?.message);
  if (object.metadata.deletionTimestamp !== undefined) return { state: 'Deleting', reason, message };
  if (!ready) return withoutCondition(object);
  const { generation } = object.metadata;
  const isOld =
    typeof ready.observedGeneration === 'number' && generation !== undefined && ready.observedGeneration < generation;
  if (isOld) return { state: 'Reconciling', reason, message };
  if (ready.status === 'True') return { state: 'Ready', reason, message };
  if (waiting.has(reason)) return { state: 'Blocked', reason, message };
  if (ready.status !== 'False') return { state: 'Unknown', reason, message };
  if (ready.severity === 'Info') return { state: 'Reconciling', reason, message };
  return { state: 'Failed', reason, message };
}

function withoutCondition(object: KubeObject): ObjectState {
  const status: unknown = object['status'];
  if (!isObject(status)) return { state: 'Unknown', reason: noConditions, message: '' };
  const isRun = object.kind === computeRun.kind;
  const word = textOf(status[isRun ? 'state' : 'status']);
  const words: Readonly<Record<string, State>> = isRun ? runs : assigned;
  const state = Object.hasOwn(words, word) ? words[word] : undefined;
  const message = isRun ? textOf(status['message']) : '';
  return { state: state ?? 'Unknown', reason: state ? word : noConditions, message };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
