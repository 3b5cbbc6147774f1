/** The controller and the node daemon on a real API server, under the service accounts of the synthesized manifests. */
import { beforeAll, expect, test } from '@jest/globals';
import { identityPermissions, nmiPermissions } from '../../runtime/api/permissions.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { granted } from '../fakes/api-recorder.ts';
import { type Life, liveOnce } from '../identity/life.ts';
import { kubectl } from './kubectl.ts';

let life: Life;

beforeAll(async () => {
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  life = await liveOnce({ connection: loadKubeConnection(), kubernetesVersion: `${major}.${minor}` });
});

test('pods get tokens, except of an issuer that Azure cannot reach', () => {
  // The token of the service account was had; only AAD could not check it.
  expect(life.tokens).toEqual({ machine: 200, principal: 200, federated: 403 });
});

test('what cannot work is told by a condition and an event, a certificate with a wrong password too', () => {
  expect(life.told).toEqual({
    broken: { condition: 'InvalidResourceID', events: ['InvalidResourceID'] },
    locked: { condition: 'SecretNotUsable', events: ['SecretNotUsable'] },
  });
});

test('nothing the programs asked for was denied', () => {
  expect(life.denied).toEqual([]);
  expect(life.logs).not.toMatch(/forbidden/i);
});

test.each([
  ['identity', identityPermissions()],
  ['nmi', nmiPermissions({ federatedAccounts: 'all' })],
] as const)('every permission that the manifests grant to %s was used, and no other', (program, permissions) => {
  expect([...life.used[program]].sort()).toEqual(granted(permissions));
});
