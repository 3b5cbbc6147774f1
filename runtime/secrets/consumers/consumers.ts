import type { ArmReference } from '../../api/common-schemas.ts';
import type { ManagedSecretConsumer } from '../../api/machines/managed-secret-spec.ts';
import { tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { SharedLru } from '../../base/fairness/shared-lru.ts';
import type { Logger } from '../../base/observability/log.ts';
import type { EndpointSecret } from '../secrets/managed-secrets.ts';
import type { References } from '../secrets/references.ts';
import type { Principals } from './machine-reader.ts';
import type { PodIdentities } from './pod-identities.ts';
import type { PrincipalCache } from './principal-cache.ts';

/** The right of a caller to read a secret. */
export interface Grant {
  /** The consumer that gives it, for the audit: `objectId`, or an ARM id. */
  readonly by: string;
  /** Of the ARM id; its gate must be open. Undefined for `objectId`. */
  readonly subscription?: string;
  /** The caller must prove that it is one of these machines; undefined: no proof is needed. */
  readonly machine: Principals | undefined;
}

/** Dependencies of Consumers. */
export interface ConsumersDeps {
  readonly references: Pick<References, 'armIdOf'>;
  readonly principals: Pick<PrincipalCache, 'of' | 'refresh'>;
  readonly podIdentities: Pick<PodIdentities, 'has'>;
  readonly log: Logger;
}

interface Resolved {
  /** The reference in the spec, as JSON, to find it again. */
  readonly reference: string;
  readonly armId: string;
  readonly attested: boolean;
  readonly machine: boolean;
}

interface Known {
  readonly uid: string;
  readonly consumers: readonly Resolved[];
}

/** Errors that say that a reference leads nowhere. */
const ended: ReadonlySet<string> = new Set(['AZ_REFERENCE_MISSING', 'AZ_TERMINAL']);

/** Resources that the consumers of one namespace name, read from Resource Manager; further ones are nobody. */
const mostPerNamespace = 500;

/**
 * Decides whether a caller may read a ManagedSecret: the object id of the token is a consumer's, or that of an identity
 * of a consumer's machine that pods do not have. `prepare` reads the data for the decision, in the background.
 */
export class Consumers {
  readonly #deps: ConsumersDeps;
  readonly #known = new SharedLru<Known>(10_000);
  readonly #ids = new Map<string, Map<string, number>>();

  constructor(deps: ConsumersDeps) {
    this.#deps = deps;
  }

  /** Resolves the consumers of an object and reads their principals, those that are due. */
  async prepare(object: EndpointSecret, signal: AbortSignal): Promise<void> {
    const { references, log, principals } = this.#deps;
    const { namespace = '', uid = '', name } = object.metadata;
    const resolved: Resolved[] = [];
    for (const consumer of object.spec.consumers ?? []) {
      const reference = referenceOf(consumer);
      if (!reference) continue;
      const common = {
        reference: JSON.stringify(reference),
        attested: consumer.attested ?? false,
        machine: consumer.machine !== undefined,
      };
      try {
        const armId = await references.armIdOf(namespace, reference, signal);
        resolved.push({ ...common, armId });
      } catch (error) {
        if (signal.aborted) return;
        log.debug({ managedSecret: `${namespace}/${name}`, error: messageOf(error) }, 'a consumer is not known yet');
        if (error instanceof AzimuthError && ended.has(error.code)) continue;
        // The API server does not answer: the id stays.
        const before = this.#of(object)?.consumers.find((each) => each.reference === common.reference);
        if (before) resolved.push({ ...common, armId: before.armId });
      }
    }
    const consumers = this.#bounded(namespace, uid, resolved);
    this.#known.set(`${namespace}/${name}`, { uid, consumers }, namespace);
    await Promise.all(
      consumers.map(({ armId, attested }) => principals.refresh(namespace, armId, attested, true, signal)),
    );
  }

  /** Forgets an object that is gone. */
  forget({ metadata: { namespace = '', name, uid = '' } }: EndpointSecret): void {
    this.#known.delete(`${namespace}/${name}`);
    this.#bounded(namespace, uid, []);
  }

  /**
   * The consumer that is the caller; undefined where there is none. Of several, one in a subscription that `isOpen` goes
   * first, then one without proof: a token does not show which of the machines with its identity sent the request.
   */
  grant(object: EndpointSecret, objectId: string, isOpen: (subscription: string) => boolean): Grant | undefined {
    const { namespace = '' } = object.metadata;
    const direct = object.spec.consumers?.some((each) => each.objectId?.toLowerCase() === objectId && !each.attested);
    if (direct) return { by: 'objectId', machine: undefined };
    const { principals, podIdentities } = this.#deps;
    let attested: Grant | undefined;
    let closed: Grant | undefined;
    for (const each of this.#of(object)?.consumers ?? []) {
      const principal = principals.of(namespace, each.armId);
      if (!principal?.objectIds.has(objectId)) continue;
      const assigned = principal.assigned.get(objectId);
      if (assigned !== undefined && podIdentities.has(assigned, namespace, principal.asOf)) continue;
      // An identity cannot be proved to be one of the machines.
      if (each.attested && !each.machine) continue;
      const subscription = tryParseResourceId(each.armId)?.subscriptionId ?? '';
      const grant = { by: each.armId, subscription, machine: each.attested ? principal : undefined };
      if (!isOpen(subscription)) closed ??= grant;
      else if (each.attested) attested ??= grant;
      else return grant;
    }
    return attested ?? closed;
  }

  /** Has the machines of a secret read again soon, for a caller that none of them is. */
  refreshFor(object: EndpointSecret): void {
    const { namespace = '' } = object.metadata;
    for (const { armId, attested } of this.#of(object)?.consumers ?? [])
      void this.#deps.principals.refresh(namespace, armId, attested, false);
  }

  #of({ metadata: { namespace, name, uid } }: EndpointSecret): Known | undefined {
    const knownConsumers = this.#known.get(`${namespace}/${name}`);
    return knownConsumers?.uid === uid ? knownConsumers : undefined;
  }

  /** Those within the share of the namespace; counts the resources of each object. */
  #bounded(namespace: string, uid: string, resolved: readonly Resolved[]): Resolved[] {
    const counts = this.#ids.get(namespace) ?? new Map<string, number>();
    counts.delete(uid);
    const used = [...counts.values()].reduce((sum, count) => sum + count, 0);
    const allowed = resolved.slice(0, Math.max(0, mostPerNamespace - used));
    if (allowed.length > 0) counts.set(uid, allowed.length);
    if (counts.size > 0) this.#ids.set(namespace, counts);
    else this.#ids.delete(namespace);
    if (allowed.length < resolved.length)
      this.#deps.log.warn({ namespace, most: mostPerNamespace }, 'a namespace names too many consumers');
    return allowed;
  }
}

function referenceOf({ machine, identity }: ManagedSecretConsumer): ArmReference | undefined {
  return machine ?? identity;
}
