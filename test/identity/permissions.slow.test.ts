import { beforeAll, expect, test } from '@jest/globals';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { startCluster } from '../fakes/cluster.ts';
import { grants, mistakes, type PodIdentityRun, runPodIdentity } from './pod-identity-run.ts';

let run: PodIdentityRun;

beforeAll(async () => {
  await using cluster = await startCluster();
  const { kube, kubeconfig } = cluster;
  const issuer = { url: kube.issuerUrl, caPem: kube.caPem };
  run = await runPodIdentity({ connection: loadKubeConnection({ kubeconfig }), kubernetesVersion: '1.27', issuer });
}, 600_000);

test('controller and daemon serve identities of every type under the service accounts of the manifests', () => {
  expect(run.tokens).toEqual({ machine: 200, principal: 200, federated: 200, referenced: 200 });
});

test('each mistake has a condition and an event, a certificate with a wrong password too', () => {
  expect(run.reported).toEqual(mistakes);
});

test('nothing they asked for was denied', () => {
  expect(run.denied).toEqual([]);
  expect(run.logs).not.toMatch(/forbidden/i);
});

test.each(grants)('every permission that the manifests grant to %s was used, and no other', (program, permissions) => {
  expect([...run.used[program]].sort()).toEqual(permissions);
});
