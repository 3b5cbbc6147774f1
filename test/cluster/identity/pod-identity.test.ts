/** The controller and the node daemon on a real API server, under the service accounts of the synthesized manifests. */
import { beforeAll, expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { grants, mistakes, type PodIdentityRun, runPodIdentity } from '../../identity/pod-identity-run.ts';
import { kubectl } from '../kubectl.ts';

let run: PodIdentityRun;

beforeAll(async () => {
  const { major, minor } = JSON.parse(await kubectl(['get', '--raw', '/version']));
  run = await runPodIdentity({ connection: loadKubeConnection(), kubernetesVersion: `${major}.${minor}` });
});

test('pods get tokens, except of an issuer that Azure cannot reach', () => {
  // The API server gave the token of the service account; Entra cannot check it yet, which may pass.
  expect(run.tokens).toEqual({ machine: 200, principal: 200, federated: 503, referenced: 200 });
});

test('each mistake has a condition and an event, a certificate with a wrong password too', () => {
  expect(run.reported).toEqual(mistakes);
});

test('nothing the programs asked for was denied', () => {
  expect(run.denied).toEqual([]);
  expect(run.logs).not.toMatch(/forbidden/i);
});

test.each(grants)('every permission that the manifests grant to %s was used, and no other', (program, permissions) => {
  expect([...run.used[program]].sort()).toEqual(permissions);
});
