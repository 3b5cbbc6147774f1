import type { Condition } from '../../api/common-schemas.ts';
import { computeRun, type RunState, runSeverity } from '../../api/deployments/compute-run.ts';
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

/** The state by the severity of a Ready condition that is not True; Argo CD and Flux show the same by it. */
const bySeverity: Readonly<Record<string, State>> = { Error: 'Failed', Warning: 'Blocked', Info: 'Reconciling' };

/** `status.status` of an AzureAssignedIdentity. */
const assigned: Readonly<Record<string, State>> = {
  Assigned: 'Ready',
  Created: 'Reconciling',
  Unassigned: 'Deleting',
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
  return { state: severityState(ready.severity), reason, message };
}

function withoutCondition(object: KubeObject): ObjectState {
  const status: unknown = object['status'];
  if (!isObject(status)) return { state: 'Unknown', reason: noConditions, message: '' };
  if (object.kind === computeRun.kind) return ofRun(textOf(status['state']), textOf(status['message']));
  const word = textOf(status['status']);
  const state = Object.hasOwn(assigned, word) ? assigned[word] : undefined;
  return { state: state ?? 'Unknown', reason: state ? word : noConditions, message: '' };
}

/** A run of a release whose runs had no conditions yet. */
function ofRun(word: string, message: string): ObjectState {
  if (!isRunState(word)) return { state: 'Unknown', reason: noConditions, message };
  const severity = runSeverity[word];
  return { state: severity === undefined ? 'Ready' : severityState(severity), reason: word, message };
}

function severityState(severity: unknown): State {
  const word = textOf(severity);
  return (Object.hasOwn(bySeverity, word) ? bySeverity[word] : undefined) ?? 'Unknown';
}

const isRunState = (word: string): word is RunState => Object.hasOwn(runSeverity, word);
const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
