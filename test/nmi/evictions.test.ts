/** A full cache evicts the entry that was not used for longest, and a namespace evicts none of another. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import type { CacheChange, WatchedCache } from '../../runtime/kube/cache/types.ts';
import { Audit } from '../../runtime/nmi/audit.ts';
import { FastPath } from '../../runtime/nmi/http/fast-path.ts';
import type { NmiMetrics } from '../../runtime/nmi/nmi-metrics.ts';
import type { Binding, Exception, Identity, Pod } from '../../runtime/nmi/objects.ts';
import type { TokenRequest } from '../../runtime/nmi/protocol/token-request.ts';
import { type IdentityUse, PodIdentityIndex } from '../../runtime/nmi/tokens/pod-identities.ts';
import type { Granted } from '../../runtime/nmi/tokens/token-handler.ts';
import { TokenService, type TokenServiceDeps } from '../../runtime/nmi/tokens/token-service.ts';
import { binding, identity, pod } from './harness.ts';

const clock = new ManualClock(0);
const requestFor = (resource: string): TokenRequest => ({ resource, clientId: '', objectId: '', resourceId: '' });

function useOf(namespace = 'app'): IdentityUse {
  const { metadata, spec } = identity('id', {}, namespace);
  return {
    binding: binding('b', {}, namespace),
    identity: { metadata: { ...metadata, uid: namespace }, spec },
    spec,
  } as unknown as IdentityUse;
}

test('a pod that asks for many resources keeps the fast path for those that it uses', () => {
  const metrics = { cache: () => undefined, operation: () => undefined, request: () => undefined };
  const audit = { issued: () => undefined, commit: () => undefined };
  const fastPath = new FastPath({
    audit: audit as unknown as Audit,
    metrics: metrics as unknown as NmiMetrics,
    clock,
    metadataHeaderRequired: false,
  });
  const response = { on: () => response, writeHead: () => response, end: () => response } as unknown as ServerResponse;
  const cached = (target: string) =>
    fastPath.tryAnswer({ url: target, headers: {} } as IncomingMessage, response, '10.0.0.1');
  const reuse = { token: { token: 't', expiresOn: 1e9 }, windowEnd: undefined, until: 1e9, stillValid: () => true };
  const granted = { pod: pod(), body: '', use: undefined, reuse } as unknown as Granted;
  for (let i = 0; i < 50; i++) {
    fastPath.add('10.0.0.1', `/${i}`, requestFor(String(i)), granted);
    expect(cached('/0')).toBe(true);
  }
  expect([cached('/49'), cached('/1')]).toEqual([true, false]);
  fastPath.flush();
});

test('a pod that asks for many resources keeps the audit record of the one that it uses', () => {
  const events: object[] = [];
  const recorder = { record: (event: object) => events.push(event) };
  const audit = new Audit({ lines: { write: () => undefined }, events: recorder, clock, node: 'n1' });
  const use = useOf();
  for (let i = 0; i < 50; i++) {
    audit.issued(pod() as Pod, use, requestFor('used'), 1000);
    audit.issued(pod() as Pod, use, requestFor(String(i)), 1000);
  }
  expect(new Set(events.filter((_, i) => i % 2 === 0)).size).toBe(1);
});

test('many labels of one tenant do not evict the ordered bindings of a label in use', () => {
  const reads: string[] = [];
  const cache = <T>() =>
    ({
      addIndex: () => undefined,
      onChange: (_: (change: CacheChange<never>) => void) => () => undefined,
      byIndex: (_: string, key: string) => {
        reads.push(key);
        return [];
      },
    }) as unknown as WatchedCache<T & Pod>;
  const index = new PodIdentityIndex({
    mode: 'managed',
    forceNamespaced: true,
    pods: cache<Pod>(),
    bindings: cache<Binding>(),
    identities: cache<Identity>(),
    exceptedAccounts: [],
    exceptions: cache<Exception>(),
    assigned: undefined,
  });
  for (let i = 0; i < 2500; i++) {
    index.bindingsOf(pod({ namespace: 'tenant', label: `label-${i}` }) as Pod);
    index.bindingsOf(pod() as Pod);
  }
  expect(reads.filter((key) => key === 'app/sel')).toHaveLength(1);
});

test('a namespace that fills the token cache evicts no token of another namespace', async () => {
  const requested: string[] = [];
  const service = new TokenService({
    clock,
    maxCached: 5,
    imds: {
      token: (resource: string) => {
        requested.push(resource);
        return Promise.resolve({ token: 't', expiresOn: 1e9 });
      },
    },
  } as unknown as TokenServiceDeps);
  const { signal } = new AbortController();
  const issue = (namespace: string, resource: string) =>
    service.issue(useOf(namespace), pod({ namespace }) as Pod, resource, signal);
  await issue('app', 'own');
  for (let i = 0; i < 20; i++) await issue('tenant', String(i));
  await issue('app', 'own');
  expect(requested.filter((resource) => resource === 'own')).toHaveLength(1);
  await issue('tenant', '0');
  expect(requested.filter((resource) => resource === '0')).toHaveLength(2);
});
