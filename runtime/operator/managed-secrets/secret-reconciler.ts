import { eventReasons } from '../../arm-kinds/names.ts';
import { home } from '../../compute/managed-secrets/plan.ts';
import { type SecretVersion, vaultSecretName } from '../../compute/managed-secrets/vault-tags.ts';
import type { ReconcileRequest, ReconcileResult, WatchedCache } from '../../kube/cache/types.ts';
import type { Credentials } from '../credentials/credentials.ts';
import { writeObjectStatus } from '../object-status.ts';
import type { OperatorContext } from '../reconcile/operator-context.ts';
import { nodeOf } from '../references/node-id.ts';
import { identityReadiness, identityStatus, knownIdentity } from './report/identity-report.ts';
import { knownSecret, reportedCopies } from './report/secret-report.ts';
import { readinessOf, statusOf } from './report/secret-status.ts';
import type { ManagedSecrets } from './resolver.ts';
import { SecretMemory } from './secret-memory.ts';
import type { SecretMetrics } from './secret-metrics.ts';
import { type ManagedSecretObject, ownerOf } from './secret-object.ts';
import { edgesOfSecret, nodeOfSecret, specFailure } from './secret-references.ts';
import { type PlacedStep, type Situation, situationOf } from './secret-situation.ts';
import type { Identities } from './values/identities.ts';
import { renewalRequest, requestDueAt, type VersionSource } from './values/version-sources.ts';
import { copyVersion, disableVersion } from './vaults/secret-steps.ts';
import { type OpenVault, placesOf, type SecretRun, secretRun, type VaultPlaces } from './vaults/vault-places.ts';
import { failed, type PlaceMemory, type PlaceReading, readPlace } from './vaults/vault-readings.ts';

/** What the reconciler of ManagedSecrets needs. */
export interface SecretReconcilerParts {
  readonly context: OperatorContext;
  readonly objects: WatchedCache<ManagedSecretObject>;
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  readonly places: VaultPlaces;
  readonly secrets: ManagedSecrets;
  readonly metrics: SecretMetrics;
  readonly sources: (kind: string) => VersionSource;
  readonly identities: Identities;
}

/** Rounds of reading and acting in one run: a new version, its copies, the old versions. */
const maxRounds = 5;
/** Milliseconds after which an object in sync is read again: somebody may change a vault. */
const resyncMs = 3_600_000;

/** Milliseconds between two reads while a new identity is not in Azure yet; its object enqueues the ManagedSecret too. */
const identityPollMs = 10_000;

/** One round: what was read, and what follows. */
interface Round {
  readonly readings: readonly PlaceReading[];
  readonly memories: readonly PlaceMemory[];
  readonly situation: Situation;
  readonly current: SecretVersion | undefined;
}

/** Generates, renews, copies and disables the versions of ManagedSecrets, decided from what their vaults have. */
export class SecretReconciler {
  readonly #parts: SecretReconcilerParts;
  readonly #memory = new Map<string, SecretMemory>();

  constructor(parts: SecretReconcilerParts) {
    this.#parts = parts;
  }

  /** Reconciles one ManagedSecret. */
  readonly reconcile = async (request: ReconcileRequest, signal: AbortSignal): Promise<ReconcileResult | undefined> => {
    const { objects, context, credentials } = this.#parts;
    const object = objects.get(request);
    if (!object || object.metadata.deletionTimestamp !== undefined) {
      this.#forget(request);
      return undefined;
    }
    const memory = this.#memoryOf(request, object);
    context.graph.set(nodeOf(object), [...edgesOfSecret(object), context.credentials.edgeOf(object)]);
    await context.records.load(signal);
    const failure = specFailure(object);
    if (failure) {
      await this.#writeStatus(object, {}, failure, signal);
      return undefined;
    }
    const chosen = await credentials.credentialFor(object, signal);
    if (!chosen.credential) {
      const [wait] = chosen.waits;
      const readiness = { severity: 'Warning', reason: wait?.reason ?? '', message: wait?.message ?? '' } as const;
      await this.#writeStatus(object, {}, readiness, signal);
      return undefined;
    }
    const name = vaultSecretName(ownerOf(object), object.spec.vaultSecretName);
    const { credential, usesOperatorCredential: bounded } = chosen;
    const run = secretRun({ object, name, credential, bounded, signal });
    if (object.spec.kind === 'Identity') return await this.#reconcileIdentity(run, memory);
    return await this.#report(run, memory, await this.#rounds(run, memory));
  };

  async #reconcileIdentity(run: SecretRun, memory: SecretMemory): Promise<ReconcileResult> {
    const { secrets, context, identities } = this.#parts;
    const { object, signal } = run;
    const { namespace = '', name } = object.metadata;
    const now = context.runtime.clock.now();
    const reports = identities.nodes(object).map((to) => ({ kind: 'owner', to }) as const);
    context.graph.set(nodeOf(object), [...context.graph.dependencies(nodeOf(object)), ...reports]);
    try {
      const state = await identities.reconcile(run, secrets.usersOf(namespace, name));
      memory.renewal = { failures: 0, retryAt: 0 };
      secrets.set(namespace, name, knownIdentity(object, state));
      await this.#writeStatus(object, identityStatus(state), identityReadiness(state), signal);
      const times = [state.plan.nextRenewal, state.plan.nextDisable].flatMap((time) => time ?? []);
      const isSettled = state.usable !== undefined && state.usable.number === state.versions[0]?.number;
      const next = Math.min(isSettled ? resyncMs : identityPollMs, ...times.map((time) => time - now));
      return { requeueAfterMs: Math.max(1000, next) };
    } catch (error) {
      if (signal.aborted) throw error;
      const failure = failed(memory.renewal, error, now);
      await this.#writeStatus(object, {}, { severity: 'Warning', ...failure }, signal);
      return { requeueAfterMs: memory.renewal.retryAt - now };
    }
  }

  async #rounds(run: SecretRun, memory: SecretMemory): Promise<Round> {
    memory.follow(run.object.metadata.generation);
    for (let left = maxRounds; ; left--) {
      const round = await this.#round(run, memory);
      if (left === 0 || round.situation.steps.length === 0) return round;
      const outcomes = await Promise.all(round.situation.steps.map((step) => this.#perform(run, memory, round, step)));
      if (!outcomes.includes('done') && !outcomes.includes('waits')) return round;
    }
  }

  async #round(run: SecretRun, memory: SecretMemory): Promise<Round> {
    const { places, secrets, context, sources } = this.#parts;
    const { object } = run;
    const now = context.runtime.clock.now();
    const named = placesOf(object);
    const memories = memory.places(named);
    const readings = await Promise.all(
      named.map((place, index) =>
        places.reads.run(object.metadata.namespace ?? '', run.signal, () =>
          readPlace(places, run, place, memories[index] as PlaceMemory, now),
        ),
      ),
    );
    const { namespace = '', name } = object.metadata;
    const inUse = secrets.usersOf(namespace, name);
    const mayGenerate = memory.renewal.local === true || memory.renewal.retryAt <= now;
    const input = { object, now, inUse, mayGenerate };
    const asRead = situationOf(readings, { ...input, renewNow: false });
    const { current } = asRead.plan;
    if (current) memory.current = current;
    const atHome = readings.find(({ place }) => place.location === home)?.open;
    let renewNow = (requestDueAt(renewalRequest(run), current) ?? Number.POSITIVE_INFINITY) <= now;
    try {
      if (current && atHome && mayGenerate) {
        renewNow ||= (await sources(object.spec.kind).isOutdated?.(run, atHome, current)) === true;
      }
    } catch (error) {
      if (run.signal.aborted) throw error;
      failed(memory.renewal, error, now);
    }
    const situation = renewNow ? situationOf(readings, { ...input, renewNow }) : asRead;
    return { readings, memories, situation, current: current ?? memory.current };
  }

  /** Performs one step; a failure counts for its own vault only. */
  async #perform(run: SecretRun, memory: SecretMemory, round: Round, { step, target, part }: PlacedStep) {
    const { context } = this.#parts;
    const now = context.runtime.clock.now();
    const atHome = round.readings.find(({ place }) => place.location === home)?.open;
    if (!target.open || !atHome) return 'failed';
    if (step.do === 'Generate') return await this.#generate(run, memory, target.open, step.number, round.current);
    try {
      if (step.do === 'Copy') {
        await copyVersion(run, atHome, target.open, part, step.version);
        return 'done';
      }
      await disableVersion(run, target.open, part, step.version);
      if (part === 'value') {
        const note = `Disabled version ${step.version.number} in ${target.place.location}`;
        this.#event(run, 'Normal', eventReasons.secretDisabled, note);
      }
      return 'done';
    } catch (error) {
      if (run.signal.aborted) throw error;
      const placeMemory = round.memories[round.readings.indexOf(target)];
      if (placeMemory) failed(placeMemory, error, now);
      return 'failed';
    }
  }

  async #generate(
    run: SecretRun,
    memory: SecretMemory,
    atHome: OpenVault,
    number: number,
    current: SecretVersion | undefined,
  ) {
    const { context, sources, metrics } = this.#parts;
    const { kind } = run.object.spec;
    const now = context.runtime.clock.now();
    try {
      const waitMs = await sources(kind).create(run, atHome, { number, now, current, request: renewalRequest(run) });
      memory.renewal = { failures: 0, retryAt: waitMs === undefined ? 0 : now + waitMs };
      if (waitMs !== undefined) return 'waits';
      metrics.renewal(kind, 'succeeded');
      this.#event(run, 'Normal', eventReasons.secretRenewed, `Made version ${number}`);
      return 'done';
    } catch (error) {
      if (run.signal.aborted) throw error;
      const { message } = failed(memory.renewal, error, now);
      metrics.renewal(kind, 'failed');
      this.#event(run, 'Warning', eventReasons.secretRenewalFailed, message);
      return 'failed';
    }
  }

  async #report(run: SecretRun, memory: SecretMemory, round: Round): Promise<ReconcileResult> {
    const { context, secrets, metrics } = this.#parts;
    const { object, signal } = run;
    const { namespace = '', name, uid = '' } = object.metadata;
    const now = context.runtime.clock.now();
    const { plan, conflicts } = round.situation;
    const copies = reportedCopies(run, round, now);
    const readiness = readinessOf({
      current: round.current,
      copies,
      conflicts,
      renewal: memory.renewal.retryAt > now ? memory.renewal : undefined,
    });
    const stale = copies.filter(({ copy }) => copy.state !== 'Current');
    for (const { reading, copy } of round.current ? stale : []) {
      const note = `The copy in ${reading.place.location} is ${copy.state}: ${copy.message ?? 'not made yet'}`;
      this.#event(run, 'Warning', eventReasons.secretCopyStale, note);
    }
    metrics.measure(uid, { kind: object.spec.kind, created: round.current?.created, stale: stale.length });
    secrets.set(namespace, name, knownSecret(run, round.current, copies, readiness.message));
    await this.#writeStatus(object, statusOf(plan, round.current, copies), readiness, signal);
    const dueAt = requestDueAt(renewalRequest(run), memory.current);
    const retries = [...round.memories, memory.renewal].flatMap(({ retryAt }) => (retryAt > now ? [retryAt] : []));
    const renewAt = memory.renewal.retryAt > now ? undefined : [plan.nextRenewal, dueAt];
    const times = [...(renewAt ?? []), plan.nextDisable, ...retries].flatMap((time) => time ?? []);
    const next = Math.min(resyncMs, ...times.map((time) => time - now));
    return { requeueAfterMs: Math.max(1000, next) };
  }

  #event({ object }: SecretRun, type: 'Normal' | 'Warning', reason: string, note: string): void {
    this.#parts.context.events.record({ regarding: object, type, reason, action: 'Reconcile', note });
  }

  async #writeStatus(
    object: ManagedSecretObject,
    members: Readonly<Record<string, unknown>>,
    readiness: Parameters<typeof writeObjectStatus>[0]['readiness'],
    signal: AbortSignal,
  ): Promise<void> {
    const { client, clock } = this.#parts.context.runtime;
    const { type } = this.#parts.objects;
    await writeObjectStatus({ client, type, object, members, readiness, now: clock.now(), signal });
  }

  #memoryOf({ namespace, name }: ReconcileRequest, { metadata: { uid = '' } }: ManagedSecretObject): SecretMemory {
    const key = `${namespace}/${name}`;
    const known = this.#memory.get(key);
    if (known?.uid === uid) return known;
    if (known) this.#parts.metrics.measure(known.uid, undefined);
    const memory = new SecretMemory(uid);
    this.#memory.set(key, memory);
    return memory;
  }

  #forget({ namespace = '', name }: ReconcileRequest): void {
    const { secrets, metrics } = this.#parts;
    const known = this.#memory.get(`${namespace}/${name}`);
    if (known) metrics.measure(known.uid, undefined);
    this.#memory.delete(`${namespace}/${name}`);
    this.#parts.context.graph.delete(nodeOfSecret(namespace, name));
    secrets.set(namespace, name, undefined);
  }
}
