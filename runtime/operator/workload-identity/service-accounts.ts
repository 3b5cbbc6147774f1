import { kindOf, resourceOf } from '../../api/kinds.ts';
import { subjectOf, trustedByAnnotation } from '../../api/workload-identity.ts';
import { eventReasons } from '../../arm-kinds/names.ts';
import type { CacheChange, ReconcileResult, WatchedCache } from '../../kube/cache/types.ts';
import { serviceAccountsType } from '../../kube/client/core-types.ts';
import { type KubeObject, keyOf, type ObjectKey } from '../../kube/client/types.ts';
import { Controller } from '../../kube/controller/controller.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import { objectKeyOf, objectOf } from '../../kube/controller/mappers.ts';
import type { EventRecorder } from '../../kube/events/recorder.ts';
import { ClusterIssuer } from './cluster-issuer.ts';
import { trustProblem } from './trust.ts';
import {
  armIdOf,
  identityKeys,
  identityNamedBy,
  idsOf,
  mayTrust,
  ownerOf,
  projectAccount,
  projectCredential,
  projectIdentity,
  trustKey,
  trustOf,
} from './trust-objects.ts';

const group = 'managedidentity.azure.com';
/** Until an event is written again: events live for an hour in most clusters. Milliseconds. */
const repeatMs = 1_800_000;
/** A commit applies its objects one after the other. Milliseconds. */
const usualGraceMs = 30_000;
/** Identities of one client id that are considered; an object more than one is an exception. */
const mostIdentities = 5;

/** Dependencies of the check of service accounts. */
export interface ServiceAccountCheckDeps {
  readonly manager: Manager;
  readonly events: EventRecorder;
  /** Empty: all. */
  readonly namespaces: readonly string[];
  /** How long a credential may be missing before it is reported, milliseconds. @default 30000 */
  readonly graceMs?: number;
}

/** The caches of the check. */
interface TrustCaches {
  readonly accounts: WatchedCache;
  readonly identities: WatchedCache;
  readonly credentials: WatchedCache;
}

/**
 * Reports service accounts whose tokens Microsoft Entra ID refuses, by an event on each: their annotations name a
 * UserAssignedIdentity of the namespace, and no FederatedIdentityCredential of it trusts them. An account is compared
 * with objects of its own namespace only.
 */
export function addServiceAccountCheck(deps: ServiceAccountCheckDeps): void {
  const { manager } = deps;
  const caches = watchTrust(manager, deps.namespaces);
  const { reconcile } = new ServiceAccountCheck(deps, caches);
  const controller = new Controller(manager.runtime, {
    name: 'serviceaccounts',
    primary: caches.accounts,
    reconcile,
    filter: isNamed,
    concurrency: 1,
  });
  manager.addController(controller);
  enqueueOnChanges(caches, controller);
}

function watchTrust(manager: Manager, namespaces: readonly string[]): TrustCaches {
  const scope = namespaces.length > 0 ? { namespaces } : {};
  return {
    accounts: manager.watch({
      type: serviceAccountsType,
      metadataOnly: true,
      project: projectAccount,
      indexes: { identity: ({ metadata }) => identityKeys(metadata.namespace, identityNamedBy(metadata.annotations)) },
      ...scope,
    }),
    identities: manager.watch({
      type: resourceOf(kindOf(group, 'UserAssignedIdentity')),
      project: projectIdentity,
      indexes: { identity: (object) => identityKeys(object.metadata.namespace, idsOf(object)) },
      ...scope,
    }),
    credentials: manager.watch({
      type: resourceOf(kindOf(group, 'FederatedIdentityCredential')),
      project: projectCredential,
      indexes: {
        trust: (object) => [trustKey(object.metadata.namespace, ownerOf(object), trustOf(object).subject)],
      },
      ...scope,
    }),
  };
}

/** Compares one service account with the identities and credentials of its namespace. */
class ServiceAccountCheck {
  readonly #deps: ServiceAccountCheckDeps;
  readonly #caches: TrustCaches;
  readonly #issuer: ClusterIssuer;
  /** When a problem was seen first, by the key of the account. */
  readonly #since = new Map<string, number>();

  constructor(deps: ServiceAccountCheckDeps, caches: TrustCaches) {
    this.#deps = deps;
    this.#caches = caches;
    this.#issuer = new ClusterIssuer(deps.manager.runtime);
  }

  readonly reconcile = async ({ namespace = '', name }: ObjectKey): Promise<ReconcileResult | undefined> => {
    const { manager, events, graceMs = usualGraceMs } = this.#deps;
    const account = this.#caches.accounts.get({ namespace, name });
    const problem = account && (await this.#problemOf(account));
    const key = keyOf({ metadata: { namespace, name } });
    if (!account || problem === undefined) {
      this.#since.delete(key);
      return undefined;
    }
    const now = manager.runtime.clock.monotonic();
    const first = this.#since.get(key) ?? now;
    this.#since.set(key, first);
    if (now - first < graceMs) return { requeueAfterMs: graceMs - (now - first) };
    events.record({
      regarding: account,
      type: 'Warning',
      reason: eventReasons.federatedCredentialMissing,
      action: 'CheckServiceAccount',
      note: problem,
    });
    return { requeueAfterMs: repeatMs };
  };

  async #problemOf({ metadata: { namespace = '', name, annotations } }: KubeObject): Promise<string | undefined> {
    const { identities, credentials } = this.#caches;
    const keys = identityKeys(namespace, identityNamedBy(annotations));
    if (keys.length === 0) return undefined;
    const meant = keys.flatMap((each) => identities.byIndex('identity', each, mostIdentities));
    const subject = subjectOf(namespace, name);
    const trusting = meant.flatMap((identity) =>
      [identity.metadata.name, armIdOf(identity)].flatMap((owner) =>
        [subject, undefined].flatMap((each) => credentials.byIndex('trust', trustKey(namespace, owner, each), 20)),
      ),
    );
    return trustProblem({
      namespace,
      name,
      trustedBy: annotations?.[trustedByAnnotation],
      identities: meant.map(({ metadata }) => metadata.name),
      credentials: trusting
        .map((each) => ({ name: each.metadata.name, ...trustOf(each) }))
        .filter((each) => each.subject !== undefined || mayTrust(each.expression, subject)),
      issuer: await this.#issuer.get(),
    });
  }
}

/** Enqueues the accounts that a changed identity or credential is about. */
function enqueueOnChanges({ accounts, identities, credentials }: TrustCaches, controller: Controller): void {
  identities.onChange((change) => {
    for (const object of statesOf(change)) {
      for (const key of identityKeys(object.metadata.namespace, idsOf(object))) enqueueAll(accounts, key, controller);
    }
  });
  credentials.onChange((change) => {
    for (const object of statesOf(change)) {
      const [, , namespace, name] = trustOf(object).subject?.split(':') ?? [];
      // The account of a subject in another namespace is none of this object's business.
      if (name !== undefined && namespace === object.metadata.namespace) controller.enqueue({ namespace, name });
      const owner = identities.get({ ...objectKeyOf(object), name: ownerOf(object) ?? '' });
      for (const key of owner ? identityKeys(owner.metadata.namespace, idsOf(owner)) : [])
        if (trustOf(object).subject === undefined) enqueueAll(accounts, key, controller);
    }
  });
}

/** The state after a change and the one before it. */
function statesOf(change: CacheChange): KubeObject[] {
  return change.type === 'updated' ? [change.object, change.old] : [objectOf(change)];
}

function enqueueAll(accounts: WatchedCache, key: string, controller: Controller): void {
  for (const account of accounts.byIndex('identity', key)) controller.enqueue(objectKeyOf(account));
}

/** Whether an account names an identity, or did so before the change. */
function isNamed(change: CacheChange): boolean {
  return statesOf(change).some(
    ({ metadata }) => identityKeys(metadata.namespace, identityNamedBy(metadata.annotations)).length > 0,
  );
}
