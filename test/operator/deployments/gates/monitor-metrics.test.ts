/** Which resources a metric check of a gate reads, and with whose credential. */
import { expect, test } from '@jest/globals';
import type { GateCheckSpec } from '../../../../runtime/api/deployments/wave-gate.ts';
import { annotations } from '../../../../runtime/arm-kinds/names.ts';
import { tryParseScopeRules } from '../../../../runtime/azure/arm/scopes.ts';
import { CredentialScopes } from '../../../../runtime/operator/credentials/scopes.ts';
import type { CheckPlace } from '../../../../runtime/operator/deployments/gates/check-place.ts';
import { Checks } from '../../../../runtime/operator/deployments/gates/checks.ts';
import {
  MonitorMetrics,
  type MonitorMetricsDeps,
} from '../../../../runtime/operator/deployments/gates/monitor-metrics.ts';

const id = '/subscriptions/s/resourceGroups/ours/providers/Microsoft.Network/virtualNetworks/net';
const resource = { kind: 'VirtualNetwork.network.azure.com', name: 'net' };
const check = { name: 'a', azureMonitor: { metric: 'BytesInDDoS', below: 5, resource } } as GateCheckSpec;
const deployment = { metadata: { namespace: 'team', name: 'shop', uid: 'u' } };

interface Situation {
  /** The scope that the rules allow the namespace. */
  readonly scope: string;
  readonly usesOperatorCredential?: boolean;
  readonly isChild?: boolean;
}

/** Runs the check where the operator has rules of scopes. */
async function run({ scope, usesOperatorCredential = true, isChild = true }: Situation) {
  const sent: object[] = [];
  const authorizer = usesOperatorCredential ? 'of the operator' : 'of the namespace';
  const deps = {
    arm: {
      send: async ({ path, authorizer: by }: { path: string; authorizer: unknown }) => {
        sent.push({ path: path.replace(/\?.*/, ''), by });
        return { body: { value: [{ timeseries: [{ data: [{ average: 4 }] }] }] } };
      },
    },
    objects: {
      get: () => ({ metadata: { namespace: 'team', name: 'net', annotations: { [annotations.resourceId]: id } } }),
    },
    children: { get: () => (isChild ? {} : undefined) },
    credentials: { credentialFor: async () => ({ credential: { authorizer }, usesOperatorCredential }) },
    scopes: new CredentialScopes(tryParseScopeRules(`team=${scope}`) ?? []),
    clock: { now: () => 0 },
  } as unknown as MonitorMetricsDeps;
  const unused = async (): Promise<never> => {
    throw new Error('not a check of this test');
  };
  const checks = new Checks({ targets: { get: unused }, jobs: { run: unused }, metrics: new MonitorMetrics(deps) });
  const place = { deployment, locations: ['westus'] } as unknown as CheckPlace;
  return { ...(await checks.run(check, place, new AbortController().signal)), sent };
}

const path = `${id}/providers/Microsoft.Insights/metrics`;

test('a metric outside of the scopes of the namespace is not read: the check fails at once, and names the rule', async () => {
  const { state, message, sent } = await run({ scope: '/subscriptions/s/resourceGroups/theirs' });
  expect({ state, sent }).toEqual({ state: 'Failed', sent: [] });
  expect(message).toContain(`${id} may not be reached with the operator's own credential: add the rule team=${id}`);
});

test('within its scopes a metric is read with the credential of the operator', async () => {
  const { state, sent } = await run({ scope: '/subscriptions/s/resourceGroups/ours' });
  expect({ state, sent }).toEqual({ state: 'Passed', sent: [{ path, by: 'of the operator' }] });
});

test('a namespace with a credential of its own has no scopes: Azure decides with that one', async () => {
  const scope = '/subscriptions/s/resourceGroups/theirs';
  const { state, sent } = await run({ scope, usesOperatorCredential: false });
  expect({ state, sent }).toEqual({ state: 'Passed', sent: [{ path, by: 'of the namespace' }] });
});

test('a metric of an object that the deployment has not made is not read', async () => {
  const { state, message, sent } = await run({ scope: '/', isChild: false });
  expect({ state, sent }).toEqual({ state: 'Failed', sent: [] });
  expect(message).toBe('VirtualNetwork.network.azure.com net is no object of the deployment with an ARM id');
});
