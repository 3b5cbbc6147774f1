import { LRUCache } from 'lru-cache';
import type { Clock } from '../../base/clock.ts';
import { AzimuthError } from '../../base/errors.ts';
import { expectReview } from '../../kube/client/expected.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../kube/client/types.ts';
import type { DeploymentObject } from './runs/runs.ts';

const reviews: ResourceType = {
  group: 'authorization.k8s.io',
  version: 'v1',
  plural: 'localsubjectaccessreviews',
  kind: 'LocalSubjectAccessReview',
  namespaced: true,
};

/** Milliseconds that a right counts without another review: a right that is taken away is lost after that. */
const allowedMs = 10_000;
/** Milliseconds to the next review after a right was missing. */
const retryMs = 30_000;

/** A write to an object of a deployment, or the read of one whose content the deployment shows. */
export interface ChildRequest {
  readonly verb: 'get' | 'create' | 'patch' | 'delete';
  readonly type: Pick<ResourceType, 'group' | 'plural'>;
  readonly name: string;
}

/**
 * The rights of a deployment's side. Whoever may write a ComputeDeployment has the operator write objects, and must not
 * get more rights by that: the operator asks the API server before each request whether the service account of the
 * deployment may make it.
 */
export class ChildAccess {
  readonly #client: KubeClient;
  readonly #multiTenant: boolean;
  readonly #clock: Clock;
  /** Until when a request is allowed without another review, monotonic milliseconds. */
  readonly #allowedUntil = new LRUCache<string, number>({ max: 10_000 });

  constructor(client: KubeClient, clock: Clock, multiTenant: boolean) {
    this.#client = client;
    this.#multiTenant = multiTenant;
    this.#clock = clock;
  }

  /**
   * The name of the service account whose rights decide: that of the spec, or `default` under the multi-tenant profile.
   * Undefined: the operator's own rights decide.
   */
  accountOf({ spec }: KubeObject): string | undefined {
    const { serviceAccountName } = (spec ?? {}) as Partial<DeploymentObject['spec']>;
    return serviceAccountName ?? (this.#multiTenant ? 'default' : undefined);
  }

  /**
   * Throws AZ_ACCESS_DENIED, with the next try in 30 seconds, where the deployment's service account may not do this, and
   * AZ_KUBE_ANSWER for an answer without a decision.
   */
  async check(deployment: KubeObject, { verb, type, name }: ChildRequest, signal: AbortSignal): Promise<void> {
    const account = this.accountOf(deployment);
    if (account === undefined) return;
    const { namespace = '' } = deployment.metadata;
    const key = [namespace, account, verb, type.group, type.plural, name].join('/');
    if ((this.#allowedUntil.get(key) ?? 0) > this.#clock.monotonic()) return;
    const user = `system:serviceaccount:${namespace}:${account}`;
    const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'];
    const resourceAttributes = { namespace, verb, group: type.group, resource: type.plural, name };
    const review = {
      apiVersion: `${reviews.group}/${reviews.version}`,
      kind: reviews.kind,
      metadata: { namespace },
      spec: { user, groups, resourceAttributes },
    } as unknown as KubeObject;
    const { allowed } = expectReview(await this.#client.create(reviews, review, { signal }));
    if (allowed === true) {
      this.#allowedUntil.set(key, this.#clock.monotonic() + allowedMs);
      return;
    }
    const resource = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
    const what = `${verb} ${resource} in the namespace ${namespace}`;
    const message = `The service account ${account} of the deployment may not ${what} (${name}): grant it by a RoleBinding, or name another account in spec.serviceAccountName`;
    throw new AzimuthError('AZ_ACCESS_DENIED', message, { retryAfterMs: retryMs });
  }
}

/** Why the deployment's service account may not do this; undefined where it may. Throws what `check` throws otherwise. */
export async function denialOf(
  access: Pick<ChildAccess, 'check'>,
  deployment: KubeObject,
  request: ChildRequest,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    await access.check(deployment, request, signal);
    return undefined;
  } catch (error) {
    if (!(error instanceof AzimuthError) || error.code !== 'AZ_ACCESS_DENIED') throw error;
    return error.message;
  }
}
