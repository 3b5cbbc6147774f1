import type { ComputeDeploymentSpec } from '../../api/deployments/compute-deployment.ts';
import { kindOf, resourceOf } from '../../api/kinds.ts';
import { annotations, reasons } from '../../arm-kinds/names.ts';
import { AzimuthError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json.ts';
import type { GoalNode } from '../../compute/deployments/goal-nodes.ts';
import {
  deploymentLabel,
  deploymentsManager,
  formerPolicyAnnotation,
  goalAnnotation,
  locationLabel,
} from '../../compute/deployments/labels.ts';
import { groupOf, nodeKey } from '../../compute/deployments/references.ts';
import { ownedBy } from '../../kube/cache/indexes.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType } from '../../kube/client/types.ts';
import type { TermCaches } from '../../kube/controller/term-caches.ts';
import { readyCondition } from '../objects/conditions.ts';
import type { KindCaches } from '../objects/kind-caches.ts';
import type { ChildAccess } from './child-access.ts';
import type { ExpandedNode } from './expansion-program.ts';
import { ChildDeletion } from './runs/child-deletion.ts';
import { conditionsOf, type Observation, progressing, readinessOf } from './runs/child-readiness.ts';
import { labelOf, ownerOf } from './runs/runs.ts';
import { isDetached } from './runs/unmanage.ts';

/** Milliseconds until an object that was applied has to be in the cache. */
const cacheLagMs = 30_000;
/** The kind of an object. */
export type ChildKind = Pick<GoalNode, 'kind' | 'group'>;

/** An object as it was applied. */
export interface AppliedChild {
  readonly generation?: number;
  /** When this process applied it, milliseconds since the epoch; undefined: a process before this one did. */
  readonly appliedAt?: number;
  /** Whether the cache has shown the object as it was applied. */
  readonly isSeen?: boolean;
}

/** A refusal to apply an object that the API server would take. */
export interface Refusal {
  readonly reason: string;
  readonly message: string;
}

/** The objects that deployments make: custom resources of the operator. */
export class Children {
  readonly deletion: ChildDeletion;
  readonly #client: KubeClient;
  readonly #caches: KindCaches;
  readonly #termCaches: Pick<TermCaches, 'catchUp'>;
  readonly #access: Pick<ChildAccess, 'check'>;
  readonly #isRefused: (uid: string) => boolean;

  /**
   * @param caches One for each kind that the operator reconciles, with the index by owner.
   * @param isRefused Whether Azure refused the last try for the object with this uid, in this process.
   */
  constructor(
    client: KubeClient,
    caches: KindCaches,
    termCaches: Pick<TermCaches, 'catchUp'>,
    access: Pick<ChildAccess, 'check'>,
    isRefused: (uid: string) => boolean = () => false,
  ) {
    this.#client = client;
    this.#isRefused = isRefused;
    this.#access = access;
    this.#caches = caches;
    this.#termCaches = termCaches;
    this.deletion = new ChildDeletion(client, caches, access);
  }

  /**
   * Waits until the caches have what was written before this term of the lease. An object that is in no cache counts as
   * gone: its deployment, or the objects that it uses, go next.
   */
  async catchUp(kinds: Iterable<ChildKind>, signal: AbortSignal): Promise<void> {
    const caches = new Set([...kinds].flatMap(({ group, kind }) => this.#caches.of(group, kind) ?? []));
    await this.#termCaches.catchUp([...caches], signal);
  }

  /** Whether the operator reconciles objects of this kind. */
  serves({ kind, group }: ChildKind): boolean {
    return this.#caches.of(group, kind) !== undefined;
  }

  /** The objects of a deployment by key. */
  owned(deployment: KubeObject): ReadonlyMap<string, KubeObject> {
    const { uid = '', namespace } = deployment.metadata;
    const found = [...this.#caches].flatMap((cache) => ownedBy(cache, uid));
    // Anybody may write an owner: objects of other namespaces are never a deployment's.
    const own = found.filter((object) => object.metadata.namespace === namespace && isControlledBy(object, uid));
    return new Map(own.map((object) => [keyOfChild(object), object]));
  }

  /** The state of the object of a node that was applied with this hash. `Changed`: not as it was applied. */
  observe(key: ObjectKey, node: ChildKind, hash: string, uid: string, applied: AppliedChild, now: number): Observation {
    const object = this.#caches.get(node.group, node.kind, key);
    const { generation: wanted, appliedAt = 0, isSeen = false } = applied;
    const mayLag = !isSeen && now - appliedAt < cacheLagMs;
    if (!object) return mayLag ? progressing : { state: 'Absent' };
    if (!isControlledBy(object, uid)) return mayLag ? progressing : { state: 'Foreign' };
    if (object.metadata.deletionTimestamp !== undefined)
      return {
        state: 'Progressing',
        reason: 'Deleting',
        message: 'the object is being deleted, and made again after that',
        isSeen: false,
      };
    const { generation = 0, annotations: own = {} } = object.metadata;
    if (own[goalAnnotation] !== hash || (wanted !== undefined && wanted !== generation) || isDetached(object))
      return mayLag ? progressing : { state: 'Changed' };
    return readinessOf(object, appliedAt, now, this.#isRefused(object.metadata.uid ?? ''));
  }

  /** The object of a deployment in the cache. */
  get(key: ObjectKey, { kind, group }: ChildKind, uid: string): KubeObject | undefined {
    const object = this.#caches.get(group, kind, key);
    return object && isControlledBy(object, uid) ? object : undefined;
  }

  /** Throws AZ_ACCESS_DENIED where the deployment's service account may not change the object, which would show it. */
  async checkChange({ apiVersion, kind, metadata }: KubeObject, deployment: KubeObject, signal: AbortSignal) {
    const type = typeOf({ group: groupOf(apiVersion), kind }, apiVersion);
    await this.#access.check(deployment, { verb: 'patch', type, name: metadata.name }, signal);
  }

  /** Whether the object is deleted and waits for its owner, as Azure has no DELETE for its resource. */
  goesWithOwner(object: KubeObject): boolean {
    const isDeleted = object.metadata.deletionTimestamp !== undefined;
    return isDeleted && readyCondition(conditionsOf(object))?.reason === reasons.deletionNotSupported;
  }

  /** The message of the object's Ready condition; '' for none. */
  messageOf(object: KubeObject | undefined): string {
    return readyCondition(conditionsOf(object))?.message ?? '';
  }

  /**
   * Applies the object of a node. A Refusal where an object of this name is not the deployment's. Throws KubeStatusError
   * where the API server refuses it, and AZ_ACCESS_DENIED where the deployment's service account may not write it.
   */
  async apply(
    node: ExpandedNode,
    deployment: KubeObject,
    retry: string | undefined,
    signal: AbortSignal,
  ): Promise<{ readonly generation: number } | Refusal> {
    const { namespace = '', name: owner, uid = '' } = deployment.metadata;
    const manifest = JSON.parse(node.manifestText) as JsonObject;
    const { apiVersion, kind, spec } = manifest;
    const metadata = manifest['metadata'] as { labels?: object; annotations?: Record<string, string> };
    const { [formerPolicyAnnotation]: _, ...ownAnnotations } = metadata.annotations ?? {};
    const type = typeOf(node, String(apiVersion));
    const existing = await this.#client.tryGet(type, { namespace, name: node.name }, signal);
    if (existing && !isControlledBy(existing, uid)) return foreign(node);
    if (existing?.metadata.deletionTimestamp !== undefined) {
      const message = `${node.key} is being deleted: it is made again after that`;
      throw new AzimuthError('AZ_CONFLICT_OWNED', message, { retryAfterMs: 2000 });
    }
    await this.#access.check(deployment, { verb: existing ? 'patch' : 'create', type, name: node.name }, signal);
    const givesPolicy = ownAnnotations[annotations.reconcilePolicy] !== undefined;
    if (existing && !givesPolicy) await this.deletion.attach(type, existing, 'applied', signal);
    const object: KubeObject = {
      apiVersion: apiVersion as string,
      kind: kind as string,
      metadata: {
        namespace,
        name: node.name,
        ...(existing?.metadata.uid !== undefined && { uid: existing.metadata.uid }),
        labels: { ...metadata.labels, ...labelOf(deploymentLabel, owner), ...labelOf(locationLabel, node.location) },
        annotations: {
          ...ownAnnotations,
          [goalAnnotation]: node.hash,
          ...(retry !== undefined && { [annotations.retry]: retry }),
        },
        ownerReferences: [ownerOf(deployment)],
      },
      spec,
    };
    const stored = await this.#client.apply(type, object, { fieldManager: deploymentsManager, force: true, signal });
    // Written before, the policy would stay when the template drops it.
    if (givesPolicy) await this.deletion.attach(type, stored, 'given', signal);
    return { generation: stored.metadata.generation ?? 0 };
  }

  /**
   * Removes what a deleted deployment still has, if it says what becomes of that: in a foreground deletion the garbage
   * collector may delete the runs, which name the objects, first. Whether an object is left.
   */
  async removeRest(deployment: KubeObject, signal: AbortSignal): Promise<boolean> {
    const { actionOnUnmanage } = (deployment['spec'] ?? {}) as Partial<ComputeDeploymentSpec>;
    if (!actionOnUnmanage) return false;
    await this.#termCaches.catchUp([...this.#caches], signal);
    const left = [...this.owned(deployment).values()];
    for (const object of left)
      if (object.metadata.deletionTimestamp === undefined) await this.deletion.remove(object, deployment, signal);
    return left.length > 0;
  }
}

/** The type under the version of the manifest. */
function typeOf({ group, kind }: ChildKind, apiVersion: string): ResourceType {
  return { ...resourceOf(kindOf(group, kind)), version: apiVersion.split('/')[1] ?? '' };
}

/** The key of the object's node. */
export function keyOfChild({ apiVersion, kind, metadata }: KubeObject): string {
  return nodeKey(groupOf(apiVersion), kind, metadata.name);
}

/** Kind, group and name of a key. */
export function keyParts(key: string): ChildKind & { readonly name: string } {
  const slash = key.indexOf('/');
  const dot = key.indexOf('.');
  return { kind: key.slice(0, dot), group: key.slice(dot + 1, slash), name: key.slice(slash + 1) };
}

function foreign({ key }: ExpandedNode): Refusal {
  const message = `${key} exists and is not of this deployment: delete it, or give the manifest another name`;
  return { reason: 'AlreadyExists', message };
}

function isControlledBy({ metadata }: KubeObject, uid: string): boolean {
  return metadata.ownerReferences?.some((owner) => owner.uid === uid && owner.controller === true) ?? false;
}
