import type { Condition } from '../../api/common-schemas.ts';
import { reasons, secretReasons } from '../../arm-kinds/names.ts';
import { rollReasons } from '../../compute/rolls/roll-plan.ts';
import type { KubeObject } from '../../kube/client/types.ts';

/** The severity of a condition that is not True. */
export type Severity = 'Info' | 'Warning' | 'Error';

/** The readiness that one reconcile run computed. Without severity, the condition is True. */
export interface Readiness {
  readonly severity: Severity | undefined;
  readonly reason: string;
  readonly message: string;
}

const ready = 'Ready';
/** For tools that follow kstatus: nothing will happen until somebody changes something. */
const stalled = 'Stalled';

const waitingReasons: ReadonlySet<string> = new Set([
  reasons.waitingForOwner,
  reasons.referenceNotFound,
  reasons.secretNotFound,
  reasons.configMapNotFound,
  reasons.blocked,
  ...Object.values(rollReasons),
  secretReasons.rolloutStopped,
]);

/** The condition of type Ready; undefined if there is none. */
export function readyCondition(conditions: readonly Condition[] | undefined): Condition | undefined {
  return conditions?.find(({ type }) => type === ready);
}

/** Whether the condition of type Ready is True. */
export function isReady(conditions: readonly Condition[] | undefined): boolean {
  return readyCondition(conditions)?.status === 'True';
}

/** Whether the object is Ready in its newest generation. */
export function isReadyAsIs(object: KubeObject): boolean {
  const readiness = readyCondition((object['status'] as { conditions?: readonly Condition[] } | undefined)?.conditions);
  return readiness?.status === 'True' && readiness.observedGeneration === object.metadata.generation;
}

/**
 * The conditions after this run, or the same list if nothing changes. The precedence is that of ASO v2: a newer
 * generation always wins; within one generation, progress (Info) never hides a result, except that it replaces a wait
 * that is over; a deletion wins.
 */
export function withReadiness(
  conditions: readonly Condition[],
  readiness: Readiness,
  generation: number | undefined,
  now: number,
): readonly Condition[] {
  const old = readyCondition(conditions);
  if (old && !mayOverwrite(old, readiness, generation)) return conditions;
  const next = condition(ready, readiness.severity === undefined ? 'True' : 'False', readiness, generation, old, now);
  const oldStalled = conditions.find(({ type }) => type === stalled);
  const nextStalled =
    readiness.severity === 'Error' ? condition(stalled, 'True', readiness, generation, oldStalled, now) : undefined;
  if (same(old, next) && same(oldStalled, nextStalled)) return conditions;
  const others = conditions.filter(({ type }) => type !== ready && type !== stalled);
  return [next, ...(nextStalled ? [nextStalled] : []), ...others];
}

/** The conditions with one beside Ready: the last request for new keys or a new password, a delivery to machines, or a maintenance configuration. */
export function withRotation(
  conditions: readonly Condition[],
  type: 'KeysRotated' | 'CredentialsRotated' | 'SecretsDelivered' | 'MaintenanceHonoured',
  readiness: Readiness,
  generation: number | undefined,
  now: number,
): readonly Condition[] {
  const old = conditions.find((each) => each.type === type);
  const next = condition(type, readiness.severity === undefined ? 'True' : 'False', readiness, generation, old, now);
  if (same(old, next)) return conditions;
  return [...conditions.filter((each) => each.type !== type), next];
}

function mayOverwrite(old: Condition, readiness: Readiness, generation: number | undefined): boolean {
  if (old.observedGeneration !== generation || readiness.severity !== 'Info') return true;
  if (readiness.reason === reasons.deleting) return true;
  return old.severity === 'Info' || (old.status !== 'True' && waitingReasons.has(old.reason));
}

function condition(
  type: string,
  status: 'True' | 'False',
  { severity, reason, message }: Readiness,
  observedGeneration: number | undefined,
  old: Condition | undefined,
  now: number,
): Condition {
  return {
    type,
    status,
    ...(severity !== undefined && type !== stalled && { severity }),
    ...(observedGeneration !== undefined && { observedGeneration }),
    reason: reasonOf(reason),
    ...(message !== '' && { message: message.slice(0, 4096) }),
    lastTransitionTime: old && old.status === status ? old.lastTransitionTime : new Date(now).toISOString(),
  };
}

/** Longest reason that is copied from Azure; the longest known code has 60 characters. */
const MAX_REASON = 100;

/** Makes a CamelCase reason, which the API server and other tools expect, from any code that Azure sends. */
export function reasonOf(code: string): string {
  const parts = code.slice(0, MAX_REASON + 1).split(/[^A-Za-z0-9]+/);
  const word = parts.map((part) => part.slice(0, 1).toUpperCase() + part.slice(1)).join('');
  return word.length <= MAX_REASON && /^[A-Z]/.test(word) ? word : reasons.failed;
}

function same(a: Condition | undefined, b: Condition | undefined): boolean {
  const members = ['status', 'severity', 'reason', 'observedGeneration', 'lastTransitionTime'] as const;
  return members.every((member) => a?.[member] === b?.[member]) && withoutRequest(a) === withoutRequest(b);
}

/** ARM gives every try a new request id. The first one stays in the message until something else changes. */
function withoutRequest(condition: Condition | undefined): string | undefined {
  return condition?.message?.replace(requestPattern, '');
}

const requestPattern = / \(Azure request [^()]{0,200}\)/;

/** The part of a message that names the Azure request; '' without one. */
export function requestNote(requestId: string | undefined): string {
  return requestId === undefined ? '' : ` (Azure request ${requestId})`;
}
