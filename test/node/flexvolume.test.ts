import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kubectl } from '../cluster/kubectl.ts';
import { eventually } from '../fakes/eventually.ts';
import { apply, group, type NodeBench, namespace, type PodOptions, startNodeBench } from './node-bench.ts';

/**
 * Pods with FlexVolumes, run by a real kubelet: with the driver that was there before, with the driver alone as
 * `azimuth flexvolume install` puts it there, and with the node agent that authenticates pods and keeps volumes up to date.
 */
let bench: NodeBench;
const podIdentity = { apiVersion: 'aadpodidentity.k8s.io/v1', metadata: { namespace, name: 'reader' } };
let count = 0;
const value = randomBytes(3000).toString('base64');

beforeAll(async () => {
  bench = await startNodeBench();
  const { volumes } = bench;
  const openssl = (args: string) => spawnSync('openssl', args.split(' '), { cwd: volumes.directory });
  openssl('req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 30 -subj /CN=self');
  openssl('pkcs12 -export -inkey k.pem -in c.pem -passout pass: -out c.pfx');
  const pfx = readFileSync(join(volumes.directory, 'c.pfx')).toString('base64');
  await volumes.write({
    secrets: [{ name: 'password', value }],
    keys: [{ name: 'signing', kty: 'RSA' }],
    certificates: [{ name: 'web', value: pfx }],
  });

  await apply({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: 'principal' },
    type: 'azure/kv',
    stringData: { clientid: volumes.app.clientId, clientsecret: volumes.app.secret },
  });
  const system = volumes.azure.addIdentity({ systemAssigned: true });
  const resourceID =
    '/subscriptions/s/resourceGroups/g/providers/Microsoft.ManagedIdentity/userAssignedIdentities/reader';
  const user = volumes.azure.addIdentity({ resourceId: resourceID });
  for (const { objectId } of [system, user]) {
    volumes.azure.assignRole(objectId, 'Key Vault Administrator', volumes.vaultId);
  }
  await apply({ ...podIdentity, kind: 'AzureIdentity', spec: { type: 0, resourceID, clientID: user.clientId } });
  await putBinding();
}, 400_000);
afterAll(async () => bench?.[Symbol.asyncDispose](), 200_000);

const objects = {
  keyvaultobjectnames: 'password;signing;web;web',
  keyvaultobjecttypes: 'secret;key;cert;secret',
  keyvaultobjectaliases: ';signing.pem;web.crt;tls.pem',
  keyvaultobjectformats: 'raw;pem;pem;pem',
};
type Mode = readonly [name: string, pod: Omit<PodOptions, 'options'>, options: Record<string, string>];
const principal: Mode = ['service-principal', { secretRef: 'principal' }, {}];
const machine: Mode = ['vm-identity', {}, { usevmmanagedidentity: 'true' }];
const identity: Mode = ['pod-identity', { labels: { aadpodidbinding: 'reader' } }, { usepodidentity: 'true' }];

/** What keyvault-flexvol does, as far as mounts go: a tmpfs right in kubelet's directory, and files with mode 0644. */
const formerDriver = `#!/bin/sh
case "$1" in
  init) echo '{"status":"Success","capabilities":{"attach":false}}' ;;
  mount) mkdir -p "$2" && mount -t tmpfs tmpfs "$2" && echo former >"$2/password" && echo '{"status":"Success"}' ;;
  unmount) umount "$2" && rmdir "$2" && echo '{"status":"Success"}' ;;
  *) echo '{"status":"Not supported"}' && exit 1 ;;
esac
`;

test('coming from keyvault-flexvol: its volumes go on, new pods have the new driver, and no mount is left', async () => {
  const directory = join(bench.pluginDirectory, 'azure~kv');
  mkdirSync(directory);
  writeFileSync(join(directory, '.kv'), formerDriver, { mode: 0o755 });
  renameSync(join(directory, '.kv'), join(directory, 'kv'));
  const former = await bench.create('former', { secretRef: 'principal', options: objects });
  await bench.running('former');
  expect(await bench.inPod('former', 'cat /vault/password')).toBe('former\n');

  bench.driver('install');
  await live(...principal);
  expect(await bench.inPod('former', 'cat /vault/password')).toBe('former\n');
  await bench.remove('former', former);
});

test('a driver that was taken away and comes back serves again', async () => {
  bench.driver('remove');
  expect(existsSync(join(bench.pluginDirectory, 'azure~kv'))).toBe(false);
  bench.driver('install');
  await live(...principal);
});

describe('with the driver alone', () => {
  test.each([principal, machine])('a pod by %s starts, reads its files, is deleted, and leaves no mount', live);

  test('what is wrong stands in the events of the pod, and its repair is enough', async () => {
    const options = { keyvaultobjectnames: 'not-there-yet', keyvaultobjecttypes: 'secret' };
    const uid = await bench.create('absent', { secretRef: 'principal', options });
    const event = await eventOf('absent', /SecretNotFound/);
    expect(event).toMatch(/FailedMount .*AZ_KEYVAULT_REFUSED: Key Vault kvtest.* "not-there-yet": 404 SecretNotFound/);
    expect(event).not.toContain(bench.volumes.app.secret);
    expect(bench.mountsOf(uid).filter((point) => point.includes('azure~kv'))).toEqual([]);

    // kubelet tries again by itself.
    await bench.volumes.write({ secrets: [{ name: 'not-there-yet', value: 'now' }] });
    await bench.running('absent');
    expect(await bench.inPod('absent', 'cat /vault/not-there-yet')).toBe('now');
    await bench.remove('absent', uid);
  });

  test("a pod's identity waits for the node agent, and the events say so", async () => {
    const [, pod, options] = identity;
    const uid = await bench.create('unvouched', { ...pod, options: { ...objects, ...options } });
    await eventOf('unvouched', /AZ_VOLUME_AGENT: .*deploy it \(azimuth volumes\)/);
    await bench.remove('unvouched', uid);
  });

  test("a pod cannot set kubelet's own options: the API server refuses it", async () => {
    const options = { ...objects, 'kubernetes.io/pod.name': 'victim' };
    await expect(bench.create('spoof', { secretRef: 'principal', options })).rejects.toThrow(/are reserved/);
  });

  test('ten pods at once get their files, and all volumes are unmounted', () => crowd('alone'));

  test('a volume outlives kubelet, and the next kubelet unmounts it', async () => {
    const uid = await bench.create('outlives', { secretRef: 'principal', options: objects });
    await bench.running('outlives');
    await bench.restartKubelet();
    expect(await bench.inPod('outlives', 'cat /vault/password')).toBe(value);
    await bench.remove('outlives', uid);
  });
});

describe('with the node agent', () => {
  beforeAll(async () => {
    await bench.startNmi();
    await bench.startAgent();
  });

  test.each([principal, machine, identity])('a pod by %s starts, reads its files, and leaves no mount', live);

  test('a binding that does not admit the volume stands in the events of the pod', async () => {
    await putBinding({ vaults: ['elsewhere'] });
    const [, pod, options] = identity;
    const uid = await bench.create('limited', { ...pod, options: { ...objects, ...options } });
    await eventOf('limited', /AZ_VOLUME_REFUSED: The AzureIdentityBinding volumes\/reader does not admit the volume/);
    await putBinding();
    await bench.running('limited');
    await bench.remove('limited', uid);
  });

  test('ten pods at once get their files, and all volumes are unmounted', () => crowd('agent'));

  test('a running pod sees the new value of a secret, and an event says what changed', async () => {
    await bench.volumes.write({ secrets: [{ name: 'renewed', value: 'one' }] });
    const options = { keyvaultobjectnames: 'renewed', keyvaultobjecttypes: 'secret', refresh: '10' };
    const uid = await bench.create('refreshed', { secretRef: 'principal', options });
    await bench.running('refreshed');
    expect(await bench.inPod('refreshed', 'cat /vault/renewed')).toBe('one');
    await bench.volumes.write({ secrets: [{ name: 'renewed', value: 'two' }] });
    expect(await eventOf('refreshed', /VaultObjectsChanged/)).toMatch(/Normal +VaultObjectsChanged .*renewed/);
    expect(await bench.inPod('refreshed', 'cat /vault/renewed; stat -L -c " %u %g %a" /vault/renewed')).toBe(
      `two 0 ${group} 440\n`,
    );
    await bench.remove('refreshed', uid);
  });

  test('while the agent is away, pods with credentials start; those with an identity wait for it', async () => {
    await bench.stopAgent();
    await live(...principal);
    const [, pod, options] = identity;
    const uid = await bench.create('waits', { ...pod, options: { ...objects, ...options } });
    await eventOf('waits', /AZ_VOLUME_AGENT: .*none answers at/);
    await bench.startAgent();
    await bench.running('waits');
    await bench.remove('waits', uid);
  });
});

async function putBinding(volumes?: object): Promise<void> {
  const spec = { azureIdentity: 'reader', selector: 'reader', ...(volumes && { volumes }) };
  await apply({ ...podIdentity, kind: 'AzureIdentityBinding', spec });
}

/** Resolves to what `kubectl describe` says once it has the words. */
async function eventOf(name: string, words: RegExp): Promise<string> {
  let description = '';
  await eventually(
    `the events of ${name} have ${words}`,
    async () => {
      await new Promise((resolve) => setTimeout(resolve, 500));
      description = await kubectl(['-n', namespace, 'describe', 'pod', name]);
      return words.test(description);
    },
    120_000,
  ).catch((error: Error) => {
    throw new Error(`${error.message}: ${description}`);
  });
  return description;
}

async function crowd(label: string): Promise<void> {
  const names = Array.from({ length: 10 }, (_, index) => `${label}-${index}`);
  const uids = await Promise.all(names.map((name) => bench.create(name, { secretRef: 'principal', options: objects })));
  await Promise.all(names.map((name) => bench.running(name)));
  for (const uid of uids) expect(bench.mountsOf(uid).filter((point) => point.includes('azure~kv'))).toHaveLength(1);
  await Promise.all(names.map((name, index) => bench.remove(name, uids[index] ?? '')));
}

async function live(...[mode, pod, options]: Mode): Promise<void> {
  const name = `${mode}-${count++}`;
  const uid = await bench.create(name, { ...pod, options: { ...objects, ...options } });
  await bench.running(name);

  const mounts = bench.mountsOf(uid);
  const volume = mounts.find((point) => point.endsWith('/volumes/azure~kv/vault')) ?? '';
  expect(mounts).toContain(volume);
  const line = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .find((each) => each.includes(` ${volume} `));
  expect(line).toMatch(/nosuid,nodev,noexec.* - tmpfs /);

  const listed = await bench.inPod(name, 'cd /vault; for f in *; do stat -L -c "%n %u %g %a" $f; done');
  const names = ['password', 'signing.pem', 'tls.pem', 'web.crt'];
  expect(listed.trim().split('\n')).toEqual(names.map((file) => `${file} 0 ${group} 440`));
  const digest = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
  const sums = await bench.inPod(name, 'cd /vault; sha256sum password web.crt tls.pem');
  const [certificate, key] = ['c.pem', 'k.pem'].map((file) =>
    readFileSync(join(bench.volumes.directory, file), 'utf8'),
  );
  expect(
    sums
      .trim()
      .split('\n')
      .map((each) => each.split(' ')[0]),
  ).toEqual([digest(value), digest(certificate ?? ''), digest(`${key}${certificate}`)]);
  const signing = await bench.inPod(name, 'cat /vault/signing.pem');
  expect(spawnSync('openssl', ['pkey', '-pubin', '-noout', '-text'], { input: signing }).stdout.toString()).toMatch(
    /2048 bit/,
  );
  await expect(bench.inPod(name, 'echo x >/vault/password')).rejects.toThrow(/Permission denied|Read-only/);

  await bench.remove(name, uid);
  await eventually('kubelet removed the directory of the volume', () => !existsSync(volume), 60_000);
}
