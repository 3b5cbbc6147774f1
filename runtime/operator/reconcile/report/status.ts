import type { Condition } from '../../../api/common-schemas.ts';
import { declaredStatus } from '../../../arm-kinds/body/declared-status.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { annotations, operatorName } from '../../../arm-kinds/names.ts';
import { sameResourceId } from '../../../azure/arm/resource-ids.ts';
import type { AzimuthError } from '../../../base/errors.ts';
import { canonicalJson, isDeeperThan, isObject } from '../../../base/json.ts';
import type { State } from '../../../engine/index.ts';
import type { ReconcileResult } from '../../../kube/cache/types.ts';
import { isConflict, isTooLarge } from '../../../kube/client/status-error.ts';
import type { KubeObject, ResourceType } from '../../../kube/client/types.ts';
import { isThrottled, jittered, putOffDelay } from '../../effects/failures.ts';
import type { Memory } from '../../effects/memory.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import type { DeliveryReport } from '../../machines/delivery-memory.ts';
import { isReady, isReadyAsIs, type Readiness, withReadiness, withRotation } from '../../objects/conditions.ts';
import type { InstancesReport } from '../../rolls/follow-instances.ts';
import { computeReady, type Outcome } from './outcome.ts';
import type { ReconcileEvents } from './reconcile-events.ts';

const second = 1000;

/** Reports the outcome of a reconcile run: status, conditions, metrics, and when to reconcile again. */
export class StatusReporter {
  readonly #model: ArmModel;
  readonly #type: ResourceType;
  readonly #deps: ReconcileDeps;
  readonly #events: ReconcileEvents;

  constructor(model: ArmModel, type: ResourceType, deps: ReconcileDeps, events: ReconcileEvents) {
    this.#model = model;
    this.#type = type;
    this.#deps = deps;
    this.#events = events;
  }

  /** Writes the status. Returns when to reconcile again. */
  async report(object: KubeObject, outcome: Outcome, memory: Memory): Promise<ReconcileResult | undefined> {
    const { runtime, metrics, syncPeriodMs } = this.#deps;
    const { run, error = run?.error, rotation } = outcome;
    const delivery = outcome.delivery ?? this.#deps.machines?.reportOf(object);
    if (isConflict(run?.error)) throw run?.error;
    if (isThrottled(error) && !outcome.deleting && (run ? run.onlyChecked : isReadyAsIs(object))) {
      metrics.state(this.#model.definition, object.metadata.uid ?? '', 'Succeeded');
      return { requeueAfterMs: putOffDelay((error as AzimuthError).retryAfterMs, syncPeriodMs) };
    }
    const now = runtime.clock.now();
    const overrides = this.#model.errorOverrides;
    const { readiness, afterMs, state } = computeReady(outcome, { memory, now, syncPeriodMs, overrides });
    const current = run?.object ?? object;
    const status = this.#statusOf(object, current, { ...outcome, ...(delivery && { delivery }) }, readiness, state);
    metrics.state(this.#model.definition, current.metadata.uid ?? '', state);
    await this.#write(current, status, readiness, memory);
    if (readiness.severity !== undefined) return soonest(afterMs, rotation?.afterMs);
    memory.wasReady = true;
    memory.attempts = 0;
    const times = [run?.rereadAt, run?.observed.renewAt, rotation?.renewAt].filter((time) => time !== undefined);
    return soonest(
      syncPeriodMs === undefined ? undefined : jittered(syncPeriodMs),
      ...times.map((time) => Math.max(second, time - now)),
      rotation?.afterMs,
      delivery?.afterMs,
    );
  }

  #statusOf(object: KubeObject, current: KubeObject, outcome: Outcome, readiness: Readiness, state: State): Status {
    const { run, result, rotation, delivery } = outcome;
    // The generation that was reconciled: `current` may have a later edit.
    const { generation } = object.metadata;
    const old = statusOf(current);
    const now = this.#deps.runtime.clock.now();
    const { maintenance } = outcome.instances ?? {};
    const rotations = [
      ['KeysRotated', rotation?.readiness] as const,
      ['CredentialsRotated', run?.credentials] as const,
      ['SecretsDelivered', delivery?.readiness] as const,
      ['MaintenanceHonoured', maintenance === 'None' ? undefined : maintenance] as const,
    ];
    const conditions = rotations.reduce(
      (all, [type, readiness]) => (readiness ? withRotation(all, type, readiness, generation, now) : all),
      withReadiness(ownConditions(old.conditions ?? [], delivery, maintenance), readiness, generation, now),
    );
    const live = run?.observed.live;
    // The resource exists once `ready` is done; its children need not wait for its exports.
    const isThere = state === 'Succeeded' || result?.blocks['ready'] === 'Succeeded';
    const id = current.metadata.annotations?.[annotations.resourceId];
    const hidden = live?.exists && live.hidden && Object.keys(live.body).length === 0;
    let shown: object = without(old, 'conditions');
    if (hidden) shown = { ...shown, id };
    else if (live?.exists && (isThere || old.id !== undefined)) {
      shown = { ...this.#model.status(live.body, object), id: spellingOf(id, live.body['id']) };
    }
    const { status: secrets } = delivery ?? {};
    const counts = outcome.instances?.status;
    return {
      ...declaredStatus(without(shown, 'managedSecrets'), this.#model.definition.arm?.status),
      ...(secrets && { managedSecrets: secrets }),
      ...(counts && { instances: counts }),
      observedGeneration: generation,
      conditions,
    };
  }

  /** Patches the status if it changes. */
  async #write(current: KubeObject, status: Status, readiness: Readiness, memory: Memory): Promise<void> {
    const { runtime, metrics, records } = this.#deps;
    const { namespace = '', name, uid = '', creationTimestamp } = current.metadata;
    // As it is, with members that the record does not confirm.
    if (canonicalJson(status) === canonicalJson(statusOf(records.stored(current)))) return;
    const operations = [
      { op: 'test', path: '/metadata/uid', value: uid },
      { op: 'add', path: '/status', value: status },
    ] as const;
    const options = { subresource: 'status', fieldManager: operatorName };
    try {
      await runtime.client.patch(this.#type, { namespace, name }, { type: 'json', operations }, options);
    } catch (error) {
      if (!isTooLarge(error)) throw error;
      this.#events.tooLarge(current, readiness);
      metrics.statusTooLarge(this.#model.definition);
    }
    const becameReady = isReady(status.conditions) && !isReady(statusOf(current).conditions) && !memory.wasReady;
    if (!becameReady || !creationTimestamp) return;
    const age = runtime.clock.now() - Date.parse(creationTimestamp);
    metrics.ready(this.#model.definition, Math.max(0, age) / second);
  }
}

/** Without SecretsDelivered where the run has no delivery, and MaintenanceHonoured where nothing is attached. */
function ownConditions(
  conditions: readonly Condition[],
  delivery: DeliveryReport | undefined,
  maintenance: InstancesReport['maintenance'],
): readonly Condition[] {
  // Anyone may have written them.
  const isOwn = ({ type }: Condition) =>
    (delivery !== undefined || type !== 'SecretsDelivered') &&
    (maintenance !== 'None' || type !== 'MaintenanceHonoured');
  return conditions.every(isOwn) ? conditions : conditions.filter(isOwn);
}

interface Status {
  readonly conditions?: readonly Condition[];
  readonly observedGeneration?: number | undefined;
  readonly id?: string;
}

/** The status, or an empty one if somebody nested it too deep to compare. */
function statusOf(object: KubeObject): Status {
  const status: unknown = object['status'];
  return isObject(status) && !isDeeperThan(status, MAX_STATUS_LEVELS) ? (status as Status) : {};
}

const MAX_STATUS_LEVELS = 100;

/** The ARM id as Azure spells it, or the object's own if Azure reports another id. */
function spellingOf(id: string | undefined, shown: unknown): unknown {
  if (id === undefined) return shown;
  return typeof shown === 'string' && sameResourceId(shown, id) ? shown : id;
}

function soonest(...times: (number | undefined)[]): ReconcileResult | undefined {
  const knownTimes = times.filter((time) => time !== undefined);
  return knownTimes.length === 0 ? undefined : { requeueAfterMs: Math.min(...knownTimes) };
}

function without(object: object, member: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== member));
}
