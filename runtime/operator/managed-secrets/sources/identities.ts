import type { ArmReference } from '../../../api/common-schemas.ts';
import { kindOf, resourceOf } from '../../../api/kinds.ts';
import { managedSecret } from '../../../api/machines/managed-secret.ts';
import { annotations, operatorName } from '../../../arm-kinds/names.ts';
import { annotationOf } from '../../../arm-kinds/policy.ts';
import { isObject } from '../../../base/json.ts';
import type { MachineIdentity } from '../../../compute/machines/machine-model.ts';
import { planSecret, type SecretPlan } from '../../../compute/managed-secrets/plan.ts';
import { type SecretVersion, vaultSecretName } from '../../../compute/managed-secrets/vault-tags.ts';
import { isAlreadyExists } from '../../../kube/client/status-error.ts';
import { apiVersionOf, type KubeObject } from '../../../kube/client/types.ts';
import type { ReconcileDeps } from '../../effects/reconcile-deps.ts';
import { nodeId, nodeOf } from '../../objects/node-id.ts';
import { usableId } from '../../objects/resource-id.ts';
import { type ManagedSecretObject, rotationOf } from '../secret-object.ts';
import { armGet, PlaceProblem, type SecretContext, type VaultPlaces } from '../vaults/vault-places.ts';
import { renewalTrigger, requestDueAt } from './version-sources.ts';

const identityKind = kindOf('managedidentity.azure.com', 'UserAssignedIdentity');
const identityType = resourceOf(identityKind);
const identityApiVersion = '2023-01-31';
/** Labels of the objects that are versions. */
const labels = { number: 'azimuth.dev/version', request: 'azimuth.dev/renew-request' } as const;
/** The hash of a version without a value. */
const noHash = '0'.repeat(16);

/** The identities of one ManagedSecret: the existing ones, and the plan. */
export interface IdentityState {
  readonly plan: SecretPlan;
  readonly versions: readonly SecretVersion[];
  /** The pinned one, or the newest that is in Azure. */
  readonly usable: { readonly number: number; readonly identity: MachineIdentity } | undefined;
}

/**
 * ManagedSecrets of kind Identity. Each version is a UserAssignedIdentity object of the namespace, owned by the ManagedSecret:
 * the new one first; the old one goes after the overlap, once the new one is in Azure and no machine uses the old one.
 */
export class Identities {
  readonly #deps: ReconcileDeps;
  readonly #places: VaultPlaces;

  constructor(deps: ReconcileDeps, places: VaultPlaces) {
    this.#deps = deps;
    this.#places = places;
  }

  /** The objects that are versions of a ManagedSecret. Other objects that name it as owner are ignored. */
  owned({ metadata: { uid = '', namespace } }: ManagedSecretObject): KubeObject[] {
    return this.#deps.objects
      .ownedBy(uid)
      .filter((each) => each.kind === identityKind.kind && each.metadata.namespace === namespace);
  }

  /** The nodes of the objects that are versions, and of the one that may follow. */
  nodes(object: ManagedSecretObject): string[] {
    const { namespace = '', name } = object.metadata;
    const owned = this.owned(object);
    const newest = owned.reduce((most, each) => Math.max(most, versionOf(each)?.version.number ?? 0), 0);
    const next = nodeId(identityKind.group, identityKind.kind, { namespace, name: objectName(name, newest + 1) });
    return [...owned.map(nodeOf), next];
  }

  /** Takes the steps that are due, and returns the state. Throws PlaceProblem, errors of Azure or the API server. */
  async reconcile(context: SecretContext, inUse: ReadonlySet<number> | undefined): Promise<IdentityState> {
    const { object } = context;
    const now = this.#deps.runtime.clock.now();
    const { owner } = object.spec.identity ?? {};
    this.#places.armIdOf(context, owner ?? {}, 'spec.identity.owner');
    const identityVersions = this.owned(object).flatMap((each) => versionOf(each) ?? []);
    const versions = identityVersions.map(({ version }) => version).sort((a, b) => b.number - a.number);
    const { pinnedVersion: pinned } = object.spec;
    const usable = await this.#usable(context, identityVersions, pinned);
    const dueAt = requestDueAt(renewalTrigger(context), versions[0]);
    const { namespace = '', name } = object.metadata;
    const plan = planSecret({
      name: `${namespace}/${name}`,
      now,
      home: versions.length === 0 ? { state: 'Absent' } : { state: 'Ours', versions },
      regions: new Map(),
      rotation: rotationOf(object.spec),
      pinned,
      inUse: inUse ?? new Set(),
      renewNow: dueAt !== undefined && dueAt <= now,
    });
    for (const step of plan.steps) {
      if (step.do === 'Generate') await this.#create(context, step.number);
      const isReplaced = inUse !== undefined && usable?.number === plan.current?.number;
      if (step.do === 'Disable' && isReplaced) await this.#delete(context, step.version.version);
    }
    return { plan, versions, usable };
  }

  async #usable(
    context: SecretContext,
    identityVersions: readonly Found[],
    pinned?: number,
  ): Promise<IdentityState['usable']> {
    const inAzure = identityVersions.flatMap(({ object, version }) => {
      const id = usableId(object);
      const isWanted = pinned === undefined || version.number === pinned;
      return id === undefined || !isWanted ? [] : [{ id, number: version.number }];
    });
    const [newest] = inAzure.sort((a, b) => b.number - a.number);
    if (!newest) return undefined;
    const { id, number } = newest;
    const clientId = await this.#readClientId(context, id);
    return clientId === undefined ? undefined : { number, identity: { id, clientId } };
  }

  async #readClientId(context: SecretContext, id: string): Promise<string | undefined> {
    const body = await armGet(this.#deps, context, id, identityApiVersion);
    const properties = isObject(body['properties']) ? body['properties'] : {};
    return typeof properties['clientId'] === 'string' ? properties['clientId'] : undefined;
  }

  async #create(context: SecretContext, number: number): Promise<void> {
    const { object, signal } = context;
    const { name, namespace = '', uid = '' } = object.metadata;
    const { location, owner } = object.spec.identity ?? {};
    const request = renewalTrigger(context);
    const credential = annotationOf(object, annotations.credentialFrom);
    const key = { namespace, name: objectName(name, number) };
    const made = {
      apiVersion: apiVersionOf(identityType),
      kind: identityKind.kind,
      metadata: {
        ...key,
        labels: { [labels.number]: String(number), ...(request !== undefined && { [labels.request]: request }) },
        ...(credential !== undefined && { annotations: { [annotations.credentialFrom]: credential } }),
        ownerReferences: [
          { apiVersion: `${managedSecret.group}/v1alpha1`, kind: managedSecret.kind, name, uid, controller: true },
        ],
      },
      spec: { azureName: `${vaultSecretName({ namespace, name })}-${number}`, location, owner: ownerIn(owner) },
    };
    const { client } = this.#deps.runtime;
    try {
      await client.create<KubeObject>(identityType, made, { fieldManager: operatorName, signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const there = await client.tryGet(identityType, key, signal);
      if (!there || there.metadata.ownerReferences?.some((reference) => reference.uid === uid)) return;
      throw new PlaceProblem(
        'NameTaken',
        `UserAssignedIdentity ${key.name} exists and is not this object's: remove it`,
        true,
      );
    }
  }

  async #delete({ object, signal }: SecretContext, name: string): Promise<void> {
    const { namespace = '' } = object.metadata;
    await this.#deps.runtime.client.delete(identityType, { namespace, name }, { signal });
  }
}

function objectName(name: string, number: number): string {
  return `${name.slice(0, 240)}-${number}`;
}

interface Found {
  readonly object: KubeObject;
  readonly version: SecretVersion;
}

/** The version that an object is; undefined for one that is none, or that is being deleted. */
function versionOf(object: KubeObject): Found | undefined {
  const { labels: objectLabels = {}, name, creationTimestamp = '', deletionTimestamp } = object.metadata;
  const number = objectLabels[labels.number] ?? '';
  if (!/^[1-9][0-9]{0,8}$/.test(number) || deletionTimestamp !== undefined) return undefined;
  const request = objectLabels[labels.request];
  const created = Date.parse(creationTimestamp);
  const version = { number: Number(number), hash: noHash, created, enabled: true, version: name };
  return { object, version: { ...version, ...(request !== undefined && { request }) } };
}

function ownerIn({ armId, name }: ArmReference = {}) {
  return armId === undefined ? { name } : { armId };
}
