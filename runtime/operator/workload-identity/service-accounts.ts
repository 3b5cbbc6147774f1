import { kindOf, resourceOf } from '../../api/kinds.ts';
import {
  claimsFit,
  clientIdAnnotation,
  parseClaimsExpression,
  subjectOf,
  trustedByAnnotation,
} from '../../api/workload-identity.ts';
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

/**
 * Reports service accounts whose tokens Microsoft Entra ID refuses, by an event on each: their annotations name a
 * UserAssignedIdentity of the namespace, and no FederatedIdentityCredential of it trusts them. An account is compared
 * with objects of its own namespace only.
 */
export function addServiceAccountCheck(deps: ServiceAccountCheckDeps): void {
  const { manager, events, graceMs = usualGraceMs } = deps;
  const { clock } = manager.runtime;
  const scope = deps.namespaces.length > 0 ? { namespaces: deps.namespaces } : {};
  const accounts = manager.watch({
    type: serviceAccountsType,
    metadataOnly: true,
    project: projectAccount,
    indexes: { identity: ({ metadata }) => identityKeys(metadata.namespace, named(metadata.annotations)) },
    ...scope,
  });
  const identities = manager.watch({
    type: resourceOf(kindOf(group, 'UserAssignedIdentity')),
    project: projectIdentity,
    indexes: { identity: (object) => identityKeys(object.metadata.namespace, idsOf(object)) },
    ...scope,
  });
  const credentials = manager.watch({
    type: resourceOf(kindOf(group, 'FederatedIdentityCredential')),
    project: projectCredential,
    indexes: { trust: (object) => [trustKey(object.metadata.namespace, ownerOf(object), errorInfoOf(object).subject)] },
    ...scope,
  });
  const issuer = new ClusterIssuer(manager.runtime);
  /** When a problem was seen first, by the key of the account. */
  const since = new Map<string, number>();

  const reconcile = async ({ namespace = '', name }: ObjectKey): Promise<ReconcileResult | undefined> => {
    const account = accounts.get({ namespace, name });
    const problem = account && (await problemOf(account));
    const key = keyOf({ metadata: { namespace, name } });
    if (!account || problem === undefined) {
      since.delete(key);
      return undefined;
    }
    const now = clock.monotonic();
    const first = since.get(key) ?? now;
    since.set(key, first);
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

  const problemOf = async ({ metadata: { namespace = '', name, annotations } }: KubeObject) => {
    const keys = identityKeys(namespace, named(annotations));
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
        .map((each) => ({ name: each.metadata.name, ...errorInfoOf(each) }))
        .filter((each) => each.subject !== undefined || mayTrust(each.expression, subject)),
      issuer: await issuer.get(),
    });
  };

  const controller = new Controller(manager.runtime, {
    name: 'serviceaccounts',
    primary: accounts,
    reconcile,
    filter: isNamed,
    concurrency: 1,
  });
  manager.addController(controller);
  identities.onChange((change) => {
    for (const object of statesOf(change)) {
      for (const key of identityKeys(object.metadata.namespace, idsOf(object))) enqueueAll(accounts, key, controller);
    }
  });
  credentials.onChange((change) => {
    for (const object of statesOf(change)) {
      const [, , namespace, name] = errorInfoOf(object).subject?.split(':') ?? [];
      // The account of a subject in another namespace is none of this object's business.
      if (name !== undefined && namespace === object.metadata.namespace) controller.enqueue({ namespace, name });
      const owner = identities.get({ ...objectKeyOf(object), name: ownerOf(object) ?? '' });
      for (const key of owner ? identityKeys(owner.metadata.namespace, idsOf(owner)) : [])
        if (errorInfoOf(object).subject === undefined) enqueueAll(accounts, key, controller);
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
    ({ metadata }) => identityKeys(metadata.namespace, named(metadata.annotations)).length > 0,
  );
}

interface NamedIdentity {
  readonly name?: string | undefined;
  readonly clientId?: string | undefined;
}

/** The identity that annotations name: our own annotation, which is exact, goes before the client id. */
function named(annotations: Readonly<Record<string, string>> = {}): NamedIdentity {
  const { [trustedByAnnotation]: name, [clientIdAnnotation]: clientId } = annotations;
  return name === undefined ? { clientId } : { name };
}

const idsOf = ({ metadata, status }: KubeObject): NamedIdentity => ({
  name: metadata.name,
  clientId: status?.clientId,
});

/** Keys of an index; they have the namespace, so that nothing is found across its boundary. */
function identityKeys(namespace = '', { name, clientId }: NamedIdentity): string[] {
  return [
    ...(name ? [`${namespace} name ${name}`] : []),
    ...(clientId ? [`${namespace} client ${clientId.toLowerCase()}`] : []),
  ];
}

const trustKey = (namespace = '', owner = '', subject = '') => `${namespace} ${owner} ${subject}`;

const armIdOf = ({ status }: KubeObject): string => String(status?.id ?? '/').toLowerCase();

const ownerOf = ({ spec }: KubeObject): string | undefined => spec?.owner?.name ?? spec?.owner?.armId?.toLowerCase();

interface Trust {
  readonly subject: string | undefined;
  readonly issuer: string | undefined;
  readonly expression: string | undefined;
}

/** What is trusted, as declared, or as Azure has it where it comes from a ConfigMap. */
function errorInfoOf({ spec, status }: KubeObject): Trust {
  return {
    subject: spec?.subject ?? status?.subject,
    issuer: spec?.issuer ?? status?.issuer,
    expression: spec?.claimsMatchingExpression?.value,
  };
}

/** False only for an expression that is understood and that the subject does not fulfil. */
function mayTrust(expression: string | undefined, subject: string): boolean {
  const comparisons = expression === undefined ? undefined : parseClaimsExpression(expression);
  return (
    comparisons === undefined ||
    claimsFit(
      comparisons.filter(({ claim }) => claim === 'sub'),
      { sub: subject },
    )
  );
}

function projectAccount({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { namespace = '', name, uid, resourceVersion, annotations: all = {} } = metadata;
  const kept = [clientIdAnnotation, trustedByAnnotation].flatMap((each) => (each in all ? [[each, all[each]]] : []));
  const annotations = kept.length > 0 && { annotations: Object.fromEntries(kept) };
  return { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion, ...annotations } };
}

function projectIdentity(object: KubeObject): KubeObject {
  return { ...bare(object), status: { id: object['status']?.id, clientId: object['status']?.clientId } };
}

function projectCredential(object: KubeObject): KubeObject {
  const { spec, status } = object;
  return {
    ...bare(object),
    spec: {
      owner: spec?.owner,
      subject: spec?.subject,
      issuer: spec?.issuer,
      claimsMatchingExpression: spec?.claimsMatchingExpression,
    },
    status: { subject: status?.subject, issuer: status?.issuer },
  };
}

function bare({ apiVersion, kind, metadata: { namespace = '', name, uid, resourceVersion } }: KubeObject): KubeObject {
  return { apiVersion, kind, metadata: { namespace, name, uid, resourceVersion } };
}
