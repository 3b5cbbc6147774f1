import { eventReasons } from '../../arm-kinds/names.ts';
import { home } from '../../compute/managed-secrets/plan.ts';
import { type SecretVersion, vaultSecretName } from '../../compute/managed-secrets/vault-tags.ts';
import type { ReconcileKey, ReconcileResult } from '../../kube/cache/types.ts';
import { nodeOf } from '../objects/node-id.ts';
import {
  laterThan,
  reconcileIdentity,
  resyncMs,
  type SecretReconcilerDeps,
  writeSecretStatus,
} from './identity-reconciler.ts';
import { rolloutEvents } from './report/rollout-report.ts';
import { knownSecret, reportedCopies } from './report/secret-report.ts';
import { readinessOf, statusOf } from './report/secret-status.ts';
import type { RolloutRound } from './rollouts/rollout-memory.ts';
import { followRollout, isRolloutUnread, rolloutPollMs } from './rollouts/secret-rollout.ts';
import { SecretMemories, type SecretMemory } from './secret-memory.ts';
import { ownerOf } from './secret-object.ts';
import { edgesOfSecret, nodeOfSecret, specFailure } from './secret-references.ts';
import { type PlacedStep, type Situation, situationOf } from './secret-situation.ts';
import { renewalTrigger, requestDueAt } from './sources/version-sources.ts';
import { OrderRefused, orderedReadAt } from './vaults/orders.ts';
import { performStep } from './vaults/placed-steps.ts';
import { mayReimportOf, reimported, reimportFailed } from './vaults/reimports.ts';
import { type OpenVault, placesOf, type SecretContext, secretContext } from './vaults/vault-places.ts';
import { failed, type PlaceMemory, type PlaceReading, readPlace } from './vaults/vault-readings.ts';

/** Rounds of reading and acting in one run: a new version, its copies, the old versions. */
const maxRounds = 5;
/** One round: the readings, and the situation that follows. */
interface Round {
  readonly readings: readonly PlaceReading[];
  readonly memories: readonly PlaceMemory[];
  readonly situation: Situation;
  readonly current: SecretVersion | undefined;
  readonly rollout: RolloutRound | undefined;
}

/** Generates, renews, copies and disables the versions of ManagedSecrets, decided from the content of their vaults. */
export class SecretReconciler {
  readonly #deps: SecretReconcilerDeps;
  readonly #memories: SecretMemories;

  constructor(deps: SecretReconcilerDeps) {
    this.#deps = deps;
    this.#memories = new SecretMemories((uid) => deps.metrics.measure(uid, undefined));
  }

  /** Reconciles one ManagedSecret. */
  readonly reconcile = async (request: ReconcileKey, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const { objects, shared, credentials } = this.#deps;
    const object = objects.get(request);
    if (!object || object.metadata.deletionTimestamp !== undefined) {
      this.#forget(request);
      return undefined;
    }
    const memory = this.#memories.of(object);
    shared.graph.set(nodeOf(object), [...edgesOfSecret(object), shared.credentials.edgeOf(object)]);
    await shared.records.load(signal);
    const failure = specFailure(object);
    if (failure) {
      await writeSecretStatus(this.#deps, object, {}, failure, signal);
      return undefined;
    }
    const chosen = await credentials.credentialFor(object, signal);
    if (!chosen.credential) {
      const [wait] = chosen.waits;
      const readiness = { severity: 'Warning', reason: wait?.reason ?? '', message: wait?.message ?? '' } as const;
      await writeSecretStatus(this.#deps, object, {}, readiness, signal);
      return undefined;
    }
    const name = vaultSecretName(ownerOf(object), object.spec.vaultSecretName);
    const { credential, usesOperatorCredential: bounded } = chosen;
    const context = secretContext({ object, name, credential, bounded, signal });
    if (object.spec.kind === 'Identity') return await reconcileIdentity(this.#deps, context, memory);
    return await this.#report(context, memory, await this.#rounds(context, memory));
  };

  async #rounds(context: SecretContext, memory: SecretMemory): Promise<Round> {
    memory.follow(context.object.metadata.generation);
    for (let left = maxRounds; ; left--) {
      const round = await this.#round(context, memory);
      if (left === 0 || (round.situation.steps.length === 0 && !round.rollout?.changed)) return round;
      const outcomes = await Promise.all(
        round.situation.steps.map((step) => this.#perform(context, memory, round, step)),
      );
      const isGoing = outcomes.includes('done') || outcomes.includes('waits') || round.rollout?.changed;
      if (!isGoing) return round;
    }
  }

  async #round(context: SecretContext, memory: SecretMemory): Promise<Round> {
    const { places, secrets, shared, sources } = this.#deps;
    const { object } = context;
    const now = shared.runtime.clock.now();
    const named = placesOf(object);
    const memories = memory.places(named);
    const readings = await Promise.all(
      named.map((place, index) =>
        places.reads.run(object.metadata.namespace ?? '', context.signal, () =>
          readPlace(places, context, place, memories[index] as PlaceMemory, now),
        ),
      ),
    );
    const { namespace = '', name } = object.metadata;
    const inUse = secrets.usersOf(namespace, name);
    const rollout = await this.#rollout(context, memory, readings);
    const unread = isRolloutUnread(rollout, readings);
    const mayGenerate = (memory.renewal.local === true || memory.renewal.retryAt <= now) && !unread;
    const mayReimport = mayReimportOf(object, readings, memories, now);
    const input = { object, now, inUse, mayGenerate, mayReimport, rollout: rollout?.state, isRolloutUnread: unread };
    const asRead = situationOf(readings, { ...input, renewNow: false });
    const { current, newest } = asRead.plan;
    if (current) memory.current = current;
    if (newest) this.#noteMade(context, memory, newest);
    const atHome = readings.find(({ place }) => place.location === home)?.open;
    let renewNow = (requestDueAt(renewalTrigger(context), newest) ?? Number.POSITIVE_INFINITY) <= now;
    const isPinned = object.spec.pinnedVersion !== undefined;
    try {
      const source = sources(object.spec.kind);
      if (isPinned && atHome && mayGenerate) await source.followOrder?.(context, atHome, memory.order);
      if (!isPinned && newest && atHome && mayGenerate) {
        renewNow ||= (await source.isOutdated?.(context, atHome, newest)) === true;
      }
    } catch (error) {
      if (context.signal.aborted) throw error;
      // Under a pin only the order was read, and the pinned version needs none: the next poll reads it again.
      if (!isPinned) failed(memory.renewal, error, now);
    }
    const situation = renewNow ? situationOf(readings, { ...input, renewNow }) : asRead;
    return { readings, memories, situation, current: current ?? memory.currentOf(object, asRead.plan), rollout };
  }

  async #rollout(context: SecretContext, { rollout: memory }: SecretMemory, readings: readonly PlaceReading[]) {
    const { secrets, shared } = this.#deps;
    const { namespace = '', name } = context.object.metadata;
    const now = shared.runtime.clock.now();
    const machines = secrets.consumersOf(namespace, name);
    const round = await followRollout(context, { memory, readings, machines, now });
    for (const { type, reason, note } of rolloutEvents(memory, round)) this.#event(context, type, reason, note);
    return round;
  }

  /** Performs one step; a failure counts for its own vault only. */
  async #perform(context: SecretContext, memory: SecretMemory, round: Round, placed: PlacedStep) {
    const { shared } = this.#deps;
    const { step, target } = placed;
    const now = shared.runtime.clock.now();
    const atHome = round.readings.find(({ place }) => place.location === home)?.open;
    if (!target.open || !atHome) return 'failed';
    if (step.do === 'Generate') return await this.#generate(context, memory, target.open, step.number, round);
    const placeMemory = round.memories[round.readings.indexOf(target)];
    try {
      const event = await performStep(context, atHome, target.open, placed);
      if (event) this.#event(context, 'Normal', event.reason, event.note);
      if (placeMemory && step.do === 'Reimport') reimported(placeMemory, step.version, now);
      return 'done';
    } catch (error) {
      if (context.signal.aborted) throw error;
      if (placeMemory && step.do === 'Reimport') reimportFailed(placeMemory, step.version, error, now);
      else if (placeMemory) failed(placeMemory, error, now);
      return 'failed';
    }
  }

  async #generate(context: SecretContext, memory: SecretMemory, atHome: OpenVault, number: number, round: Round) {
    const { shared, sources, metrics } = this.#deps;
    const { situation } = round;
    const { kind } = context.object.spec;
    const now = shared.runtime.clock.now();
    const { order } = memory;
    try {
      const version = { number, now, newest: situation.plan.newest, request: renewalTrigger(context), order };
      const waitMs = await sources(kind).create(context, atHome, version);
      memory.making = number;
      memory.renewal = { failures: 0, retryAt: waitMs === undefined ? 0 : now + waitMs };
      return waitMs === undefined ? 'done' : 'waits';
    } catch (error) {
      if (context.signal.aborted) throw error;
      const dueSince = situation.plan.nextRenewal ?? Date.parse(context.object.metadata.creationTimestamp ?? '');
      const { message } =
        error instanceof OrderRefused ? memory.refused(error, dueSince, now) : failed(memory.renewal, error, now);
      metrics.renewal(kind, 'failed');
      this.#event(context, 'Warning', eventReasons.secretRenewalFailed, message);
      return 'failed';
    }
  }

  /** Reports the version that was being made, once its vault lists it. */
  #noteMade(context: SecretContext, memory: SecretMemory, newest: SecretVersion): void {
    if (memory.making === undefined || newest.number < memory.making) return;
    memory.made();
    this.#deps.metrics.renewal(context.object.spec.kind, 'succeeded');
    this.#event(context, 'Normal', eventReasons.secretRenewed, `Made version ${newest.number}`);
  }

  async #report(context: SecretContext, memory: SecretMemory, round: Round): Promise<ReconcileResult> {
    const { shared, secrets, metrics } = this.#deps;
    const { object, signal } = context;
    const { namespace = '', name, uid = '' } = object.metadata;
    const now = shared.runtime.clock.now();
    const { plan, conflicts } = round.situation;
    const copies = reportedCopies(context, round, now);
    const renewal = memory.renewal.retryAt > now ? memory.renewal : undefined;
    const readiness = readinessOf({
      current: round.current,
      plan,
      pinned: object.spec.pinnedVersion,
      rollout: round.rollout,
      copies,
      conflicts,
      renewal,
      now,
    });
    const stale = copies.filter(({ copy }) => copy.state !== 'Current');
    for (const { reading, copy } of round.current ? stale : []) {
      const note = `The copy in ${reading.place.location} is ${copy.state}: ${copy.message ?? 'not made yet'}`;
      this.#event(context, 'Warning', eventReasons.secretCopyStale, note);
    }
    metrics.measure(uid, { kind: object.spec.kind, created: round.current?.created, stale: stale.length });
    secrets.set(namespace, name, knownSecret(context, { ...round, plan }, copies, readiness.message));
    await writeSecretStatus(this.#deps, object, statusOf(plan, round, copies), readiness, signal);
    const dueAt = requestDueAt(renewalTrigger(context), plan.newest);
    const reimports = round.memories.flatMap(({ reimport }) => reimport ?? []);
    const retries = [...round.memories, ...reimports, memory.renewal, memory.rollout.retry].flatMap(({ retryAt }) =>
      retryAt > now ? [retryAt] : [],
    );
    const orderedAt = orderedReadAt(memory.order, now);
    const renewAt = memory.renewal.retryAt > now ? undefined : [plan.nextRenewal, dueAt, orderedAt];
    const paused = laterThan(plan.pausedRenewal, now);
    const times = [...(renewAt ?? []), paused, plan.nextDisable, round.rollout?.decision?.nextAt, ...retries].flatMap(
      (time) => time ?? [],
    );
    const next = Math.min(rolloutPollMs(round.rollout), resyncMs, ...times.map((time) => time - now));
    return { requeueAfterMs: Math.max(1000, next) };
  }

  #event({ object }: SecretContext, type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.#deps.shared.events.record({ regarding: object, type, reason, action: 'Reconcile', note });
  }

  #forget({ namespace = '', name }: ReconcileKey): void {
    const { secrets, shared } = this.#deps;
    this.#memories.forget(namespace, name);
    shared.graph.delete(nodeOfSecret(namespace, name));
    secrets.set(namespace, name, undefined);
  }
}
