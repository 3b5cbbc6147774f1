import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { findKubeConnection } from '../../../runtime/kube/config/find-connection.ts';
import { inClusterConnection, inClusterServer } from '../../../runtime/kube/config/in-cluster.ts';
import { issueCertificate } from '../../fakes/certificates.ts';
import { type Scratch, scratch } from '../../fakes/scratch.ts';

let mount: Scratch;
const env = { KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' };

beforeAll(() => {
  mount = scratch();
  mount.write('token', 'first\n');
  mount.write('ca.crt', issueCertificate({ commonName: 'authority', ca: true }).cert);
  mount.write('namespace', 'azimuth-system');
});
afterAll(() => mount.remove());

test('server, namespace, CA and token come from the variables and the mounted files', async () => {
  const connection = inClusterConnection({ env, directory: mount.path });
  expect(connection).toMatchObject({ server: 'https://10.96.0.1:443', namespace: 'azimuth-system' });
  expect(connection.ca?.read()).toMatch(/BEGIN CERTIFICATE/);
  expect(await connection.credential.current()).toEqual({ authorization: 'Bearer first' });
});

test('an IPv6 address is put into brackets', () => {
  const v6 = { ...env, KUBERNETES_SERVICE_HOST: 'fd00::1' };
  expect(inClusterConnection({ env: v6, directory: mount.path }).server).toBe('https://[fd00::1]:443');
});

test('POD_NAMESPACE goes before the mounted namespace', () => {
  expect(inClusterConnection({ env: { ...env, POD_NAMESPACE: 'mine' }, directory: mount.path }).namespace).toBe('mine');
});

test('the token is read again after a refusal', async () => {
  const { credential } = inClusterConnection({ env, directory: mount.path });
  const proof = await credential.current();
  mount.write('token', 'second');
  expect(await credential.current()).toEqual(proof);
  credential.refused(proof);
  expect(await credential.current()).toEqual({ authorization: 'Bearer second' });
});

test('the server alone needs no token, and carries no credential', () => {
  const bare = scratch();
  bare.write('ca.crt', issueCertificate({ commonName: 'authority', ca: true }).cert);
  const server = inClusterServer({ env, directory: bare.path });
  expect(server).toMatchObject({ server: 'https://10.96.0.1:443', namespace: 'default' });
  expect(server).not.toHaveProperty('credential');
  bare.remove();
});

test('a missing mount and a missing variable are named', () => {
  expect(() => inClusterConnection({ env, directory: '/nowhere' })).toThrow(
    /In-cluster: .*\/nowhere\/token \(ENOENT\)/,
  );
  expect(() => inClusterConnection({ env: {} })).toThrow(/KUBERNETES_SERVICE_HOST/);
});

test('a pod without kubeconfig uses its service account, and a kubeconfig goes before it', async () => {
  const connect = findKubeConnection;
  const home = scratch();
  const search = { env: { ...env, HOME: home.path } };
  await expect(connect(search)).rejects.toThrow(/In-cluster: .*serviceaccount\/token/);
  const missing = `${home.path}/missing`;
  await expect(connect({ ...search, kubeconfig: missing })).rejects.toThrow(`${missing}: cannot be read`);
  await expect(connect({ env: { HOME: home.path } })).rejects.toThrow(/not in a pod: set KUBECONFIG/);
  home.write('.kube/config', {
    clusters: [{ name: 'k', cluster: { server: 'https://x' } }],
    contexts: [{ name: 'c', context: { cluster: 'k' } }],
    'current-context': 'c',
  });
  expect((await connect(search)).server).toBe('https://x');
  home.remove();
});
