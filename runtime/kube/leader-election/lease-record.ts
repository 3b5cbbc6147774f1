import { expected } from '../../base/errors.ts';
import { apiVersionOf, type KubeObject, type ResourceType } from '../client/types.ts';
import { microTime } from '../events/micro-time.ts';

/** Leases (coordination.k8s.io/v1). */
export const leasesType: ResourceType = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  kind: 'Lease',
  namespaced: true,
};

/** The spec of a Lease (coordination.k8s.io/v1). */
export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

/** A Lease (coordination.k8s.io/v1). */
export interface Lease extends KubeObject {
  spec: LeaseSpec;
}

/** Options of a leader election. */
export interface LeaseOptions {
  readonly namespace: string;
  readonly name: string;
  /** Identifies the replica; different after each start. @default host name and a random UUID */
  readonly identity?: string;
  /** How long others wait after the last renewal they saw. Whole seconds, minimum 1000. @default 15000 */
  readonly leaseDurationMs?: number;
  /** How long after its last renewal the holder stops its work. Less than `leaseDurationMs`. @default 10000 */
  readonly renewDeadlineMs?: number;
  /** Time between two tries; at least 1.2 of them must fit into `renewDeadlineMs`. @default 2000 */
  readonly retryPeriodMs?: number;
}

/** LeaseOptions with every default filled in. */
export type ResolvedLeaseOptions = Required<LeaseOptions>;

/** Fills in defaults and throws AZ_CONFIG_INVALID for timings under which two replicas could work at a time. */
export function resolveLeaseOptions(options: LeaseOptions, identity: string): ResolvedLeaseOptions {
  const resolved = { identity, leaseDurationMs: 15_000, renewDeadlineMs: 10_000, retryPeriodMs: 2000, ...options };
  const { leaseDurationMs, renewDeadlineMs, retryPeriodMs } = resolved;
  if (!(leaseDurationMs >= 1000 && leaseDurationMs % 1000 === 0)) {
    throw expected('leaseDurationMs', 'whole seconds, at least 1000', leaseDurationMs);
  }
  if (!(renewDeadlineMs > 0 && renewDeadlineMs < leaseDurationMs)) {
    throw expected('renewDeadlineMs', `above 0 and less than leaseDurationMs (${leaseDurationMs})`, renewDeadlineMs);
  }
  if (!(retryPeriodMs > 0 && retryPeriodMs * 1.2 < renewDeadlineMs)) {
    throw expected(
      'retryPeriodMs',
      `above 0 and 1.2 times less than renewDeadlineMs (${renewDeadlineMs})`,
      retryPeriodMs,
    );
  }
  if (resolved.identity === '') throw expected('identity', 'a text that identifies this replica', '');
  return resolved;
}

/** The Lease as this replica writes it on taking or renewing; everything but the spec stays as it was. */
export function heldLease(current: Lease | undefined, options: ResolvedLeaseOptions, now: number): Lease {
  const { namespace, name, identity, leaseDurationMs } = options;
  const old = current?.spec ?? {};
  const mine = old.holderIdentity === identity;
  const transitions = current === undefined ? 0 : (old.leaseTransitions ?? 0) + (mine ? 0 : 1);
  return {
    apiVersion: apiVersionOf(leasesType),
    kind: leasesType.kind,
    metadata: current?.metadata ?? { namespace, name },
    spec: {
      ...old,
      holderIdentity: identity,
      leaseDurationSeconds: leaseDurationMs / 1000,
      acquireTime: mine && old.acquireTime ? old.acquireTime : microTime(now),
      renewTime: microTime(now),
      leaseTransitions: transitions,
    },
  };
}

/** The Lease without a holder, so that any replica may take it at once. */
export function releasedLease(current: Lease, now: number): Lease {
  const { holderIdentity: _, ...spec } = current.spec;
  return { ...current, spec: { ...spec, leaseDurationSeconds: 1, renewTime: microTime(now) } };
}
