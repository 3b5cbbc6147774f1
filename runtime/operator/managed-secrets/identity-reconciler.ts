import type { ReconcileResult, WatchedCache } from '../../kube/cache/types.ts';
import type { Credentials } from '../credentials/credentials.ts';
import type { ReconcileDeps } from '../effects/reconcile-deps.ts';
import { writeObjectStatus } from '../object-status.ts';
import { nodeOf } from '../objects/node-id.ts';
import { identityReadiness, identityStatus, knownIdentity } from './report/identity-report.ts';
import { secretSeverity } from './report/secret-severity.ts';
import type { ManagedSecrets } from './resolver.ts';
import type { SecretMemory } from './secret-memory.ts';
import type { SecretMetrics } from './secret-metrics.ts';
import type { ManagedSecretObject } from './secret-object.ts';
import type { Identities } from './sources/identities.ts';
import type { VersionSource } from './sources/version-sources.ts';
import type { SecretContext, VaultPlaces } from './vaults/vault-places.ts';
import { failed } from './vaults/vault-readings.ts';

/** Dependencies of the reconciler of ManagedSecrets. */
export interface SecretReconcilerDeps {
  readonly shared: ReconcileDeps;
  readonly objects: WatchedCache<ManagedSecretObject>;
  readonly credentials: Pick<Credentials, 'credentialFor'>;
  readonly places: VaultPlaces;
  readonly secrets: ManagedSecrets;
  readonly metrics: SecretMetrics;
  readonly sources: (kind: string) => VersionSource;
  readonly identities: Identities;
}

/** Milliseconds after which an object in sync is read again: somebody may change a vault. */
export const resyncMs = 3_600_000;

/** Milliseconds between two reads while a new identity is not in Azure yet; its object enqueues the ManagedSecret too. */
const identityPollMs = 10_000;

/** Reconciles a ManagedSecret of the kind Identity, whose versions are UserAssignedIdentities. */
export async function reconcileIdentity(
  deps: SecretReconcilerDeps,
  context: SecretContext,
  memory: SecretMemory,
): Promise<ReconcileResult> {
  const { secrets, shared, identities } = deps;
  const { object, signal } = context;
  const { namespace = '', name } = object.metadata;
  const now = shared.runtime.clock.now();
  const reports = identities.nodes(object).map((to) => ({ kind: 'owner', to }) as const);
  shared.graph.set(nodeOf(object), [...shared.graph.dependencies(nodeOf(object)), ...reports]);
  try {
    const state = await identities.reconcile(context, secrets.usersOf(namespace, name));
    memory.renewal = { failures: 0, retryAt: 0 };
    secrets.set(namespace, name, knownIdentity(object, state));
    await writeSecretStatus(deps, object, identityStatus(state), identityReadiness(state, object, now), signal);
    const { plan, usable } = state;
    const times = [plan.nextRenewal, laterThan(plan.pausedRenewal, now), plan.nextDisable].flatMap(
      (time) => time ?? [],
    );
    const isCurrent = plan.pinProblem !== undefined || (usable !== undefined && usable.number === plan.current?.number);
    const next = Math.min(isCurrent ? resyncMs : identityPollMs, ...times.map((time) => time - now));
    return { requeueAfterMs: Math.max(1000, next) };
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = failed(memory.renewal, error, now);
    await writeSecretStatus(deps, object, {}, { severity: secretSeverity(failure.reason), ...failure }, signal);
    return { requeueAfterMs: memory.renewal.retryAt - now };
  }
}

/** A time that has not come yet; undefined for one that has. Milliseconds since the epoch. */
export function laterThan(time: number | undefined, now: number): number | undefined {
  return time !== undefined && time > now ? time : undefined;
}

/** Writes the status of a ManagedSecret, with the Ready condition of `readiness`. */
export async function writeSecretStatus(
  { shared: context, objects }: Pick<SecretReconcilerDeps, 'shared' | 'objects'>,
  object: ManagedSecretObject,
  members: Readonly<Record<string, unknown>>,
  readiness: Parameters<typeof writeObjectStatus>[0]['readiness'],
  signal: AbortSignal,
): Promise<void> {
  const { client, clock } = context.runtime;
  const { type } = objects;
  await writeObjectStatus({ client, type, object, members, readiness, now: clock.now(), signal });
}
