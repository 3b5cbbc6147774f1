import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import { VaultPool } from '../../../runtime/volumes/agent/pool/vault-pool.ts';
import { readProviderObjects } from '../../../runtime/volumes/csi/provider-object.ts';
import { readMountCall, readTexts, secretsOf } from '../../../runtime/volumes/csi/provider-request.ts';
import { type ProviderServer, serveProvider } from '../../../runtime/volumes/csi/server.ts';
import { filePermission } from '../../../runtime/volumes/mount/file-mode.ts';
import { defaultSettings } from '../../../runtime/volumes/options/settings.ts';
import { nodeDaemonAt } from '../../../runtime/volumes/vault/node-daemon-client.ts';
import { scratch } from '../../fakes/scratch.ts';
import { ProviderClient } from './client.ts';

/** The suites of the public provider's behaviour; `quirk` members are defects, not kept. */
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
type Case = Record<string, any>;
// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes
const cases: any = JSON.parse(readFileSync(new URL('../key-vault.json', import.meta.url), 'utf8'));
const rows = (list: unknown) => list as Case[];

const place = scratch();
let vaults: VaultPool;
let server: ProviderServer;
let client: ProviderClient;

beforeAll(async () => {
  const socket = join(place.path, 'azure.sock');
  // Port 9 answers nobody: neither AAD nor a vault is there.
  const settings = {
    ...defaultSettings,
    machineIdentities: 'any' as const,
    environment: { HTTPS_PROXY: 'http://127.0.0.1:9' },
  };
  vaults = new VaultPool({ settings, env: {}, clock: systemClock, nodeDaemon: nodeDaemonAt('/nowhere/nmi.sock') });
  server = await serveProvider({ socket, runtimeVersion: '1', vaults, deadlineSeconds: 1 });
  client = new ProviderClient(socket);
});
afterAll(async () => {
  client?.close();
  await server?.close();
  await vaults?.close();
  place.remove();
});

test.each(rows(cases.mountValidation.cases))('mountValidation: %j', async ({ p, secrets = {}, err, files }) => {
  if (err === undefined) expect((await client.mount(p, { secrets })).files).toHaveLength(files);
  else expect((await client.refusal(p, { secrets })).details).toContain(err);
});

describe('grpcMount', () => {
  const words: Record<string, string> = { attributes: 'attributes', secrets: 'secrets', permission: 'permission' };
  test.each(rows(cases.grpcMount.cases))('$why', async ({ req, ok, why }) => {
    const { attributes = '', secrets = '', permission = '' } = req;
    const { code, details } = await client.refusal(attributes, { secrets, permission });
    expect(code).toBe(3);
    // The three documents are valid; the next error is the missing field of the class.
    if (ok) expect(details).toContain('pod name is not provided');
    else
      expect(details).toContain(
        `failed to unmarshal ${why.includes('permission') ? 'file ' : ''}${words[why.split(' ')[0]]}`,
      );
  });
  test('Version', async () => {
    const { version } = cases.grpcMount.version;
    expect(await client.version()).toEqual({ version, runtime_name: 'azimuth', runtime_version: '1' });
  });
});

const base = {
  'csi.storage.k8s.io/pod.name': 'pod1',
  'csi.storage.k8s.io/pod.namespace': 'ns1',
  keyvaultName: 'testKV',
  tenantId: 'tid',
  objects: 'array:',
};
const read = (attributes: object, secrets: object | null = {}, permission = '420', cloudFile?: string) =>
  readMountCall(
    readTexts({ attributes: JSON.stringify({ ...base, ...attributes }), secrets: JSON.stringify(secrets) }),
    permission,
    { cloudFile },
  );

test.each(rows(cases.spCredentials.cases))(
  'spCredentials: $secrets',
  async ({ secrets, err, clientId, clientSecret }) => {
    for (const change of [(key: string) => key, (key: string) => key.toUpperCase()]) {
      const changed =
        secrets && Object.fromEntries(Object.entries(secrets).map(([key, value]) => [change(key), value]));
      if (err)
        await expect(read({}, changed)).rejects.toThrow(
          /client(id|secret) is not in the Secret of nodePublishSecretRef/,
        );
      else expect((await read({}, changed)).identity).toEqual({ mode: 'service-principal', clientId, clientSecret });
    }
  },
);

test('spCredentials: a mode that is set goes before workload identity, and that before a service principal', async () => {
  const secrets = { clientid: 'i', clientsecret: 's' };
  const tokens = JSON.stringify({ 'api://AzureADTokenExchange': { token: 't', expirationTimestamp: '' } });
  const workload = { clientID: 'c', 'csi.storage.k8s.io/serviceAccount.tokens': tokens };
  const mode = async (attributes: object) => (await read(attributes, secrets)).identity;
  expect(await mode({ ...workload, usePodIdentity: 'true' })).toEqual({ mode: 'pod' });
  expect(await mode({ ...workload, useVMManagedIdentity: '1' })).toEqual({ mode: 'vm' });
  expect(await mode({ useVMManagedIdentity: 'True', userAssignedIdentityID: 'u' })).toEqual({
    mode: 'vm',
    clientId: 'u',
  });
  expect(await mode(workload)).toEqual({ mode: 'federated', clientId: 'c', token: 't' });
  expect(await mode({ clientID: 'c' })).toMatchObject({ mode: 'service-principal', clientId: 'i' });
  await expect(read({ clientID: 'c' })).rejects.toThrow(/asks for no token with audience api:\/\/AzureADTokenExchange/);
  // A token of the pod's for somebody else is not AAD's to see.
  const others = JSON.stringify({ vault: { token: 'for another' } });
  const elsewhere = { clientID: 'c', 'csi.storage.k8s.io/serviceAccount.tokens': others };
  await expect(read(elsewhere)).rejects.toThrow(/asks for no token with audience/);
});

const object = async (members: string, mode = 0o644) =>
  (await readProviderObjects(`array:\n- |\n  objectName: a\n  objectType: secret\n  ${members}\n`, mode))[0];

test.each(rows(cases.filePermission.cases))('filePermission: "$in"', async ({ in: text, mode, err }) => {
  const permission = object(`filePermission: ${text}`);
  if (err) await expect(permission).rejects.toThrow(/objectName:a, .*invalid filePermission/);
  else expect((await permission)?.mode).toBe(mode);
  expect(filePermission('')).toBeUndefined();
});

test.each(rows(cases.fileName.cases).filter(({ name }) => name !== ''))('fileName: "$name"', async ({ name, err }) => {
  const file = object(`objectAlias: ${JSON.stringify(name)}`);
  if (err) await expect(file).rejects.toThrow(/objectName:a, .*cannot be a file name/);
  else expect((await file)?.file).toBe(name);
});

test.each(rows(cases.vaultName.cases))('vaultName: $name is valid: $ok', async ({ name, ok }) => {
  const request = read({ keyvaultName: name, useVMManagedIdentity: 'true' });
  if (ok) expect((await request).vault).toBe(name);
  else await expect(request).rejects.toThrow(/Invalid vault name/);
});

test.each(rows(cases.clouds.envs))('clouds: $name', async ({ name }) => {
  for (const cloudName of [name, name.toLowerCase(), '']) {
    expect((await read({ cloudName, useVMManagedIdentity: 'true' })).cloudName).toBe(cloudName);
  }
});

test('a class describes no cloud of its own: tokens would go wherever its author likes', async () => {
  const file = join(place.path, 'cloud.json');
  const own = { activeDirectoryEndpoint: 'https://login.stack.test', keyVaultDNSSuffix: 'vault.stack.test' };
  writeFileSync(file, JSON.stringify(own));
  const stack = { cloudName: 'AzureStackCloud', useVMManagedIdentity: 'true' };
  // Such as one that a pod wrote into a volume of its own.
  for (const cloudFile of [undefined, '/etc/kubernetes/cloud.json']) {
    await expect(read({ ...stack, cloudEnvFileName: file }, {}, '420', cloudFile)).rejects.toThrow(
      /cloudName AzureStackCloud is not valid: cloudEnvFileName .*AZURE_ENVIRONMENT_FILEPATH/,
    );
  }
  await expect(read(stack)).rejects.toThrow(/AZURE_ENVIRONMENT_FILEPATH/);
  for (const cloudEnvFileName of [file, '']) {
    expect(await read({ ...stack, cloudEnvFileName }, {}, '420', file)).toMatchObject({ cloudName: 'AzureStackCloud' });
    // Where the settings describe the cloud, no file is read.
    const described = readTexts({
      attributes: JSON.stringify({ ...base, ...stack, cloudEnvFileName: '/none' }),
      secrets: '{}',
    });
    expect(await readMountCall(described, '420', { cloud: {} })).toMatchObject({ cloudName: 'AzureStackCloud' });
  }
});

test('the secrets of a call are the Secret without its client id, and the tokens, also as they are in a URL', () => {
  const tokens = JSON.stringify({ 'api://AzureADTokenExchange': { token: 'the-token' }, other: { token: 'another' } });
  const attributes = JSON.stringify({ ...base, 'csi.storage.k8s.io/serviceAccount.tokens': tokens });
  const secrets = JSON.stringify({ ClientID: 'the-id', clientsecret: ' a/secret ', further: 'one more', no: 'abc' });
  const hidden = secretsOf(readTexts({ attributes, secrets }));
  expect(new Set(hidden)).toEqual(
    new Set(['a/secret', 'a%2Fsecret', 'one more', 'one%20more', 'the-token', 'another']),
  );
  const malformed = JSON.stringify({ ...base, 'csi.storage.k8s.io/serviceAccount.tokens': '{' });
  expect(secretsOf(readTexts({ attributes: malformed, secrets: 'null' }))).toEqual([]);
});

test('what becomes a header has no line end', async () => {
  for (const key of ['name', 'namespace', 'uid']) {
    const pod = { usePodIdentity: 'true', [`csi.storage.k8s.io/pod.${key}`]: 'a\r\nx: y' };
    await expect(read(pod)).rejects.toThrow('pod name, namespace or uid is malformed');
  }
});

test('values in the form of numbers stay texts, as YAML of Go reads them', async () => {
  expect((await object('objectVersion: 00012345678901234567890123456789'))?.version).toBe(
    '00012345678901234567890123456789',
  );
  expect(await object('objectVersion: 1e3\n  filePermission: 0400')).toMatchObject({ version: '1e3', mode: 0o400 });
  expect((await object('objectVersion: latest'))?.version).toBe('');
});

test.each(['null', '~', '', 'Null', '"  "'])('%s in an object means unset', async (value) => {
  const members = ['objectAlias', 'objectVersion', 'objectFormat', 'objectEncoding', 'objectJsonKey', 'filePermission'];
  const text = [...members, 'objectVersionHistory'].map((member) => `${member}: ${value}`).join('\n  ');
  const unset = await object('objectFormat: pem');
  expect(await object(text)).toEqual({ ...unset, label: unset?.label });
  expect((await object('objectAlias: "null"'))?.file).toBe('null');
});

const bomb = `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, at) => `a${at + 1}: &a${at + 1} [*a${at}, *a${at}]\n`).join('')}`;

test.each([
  ['no list', '{}', /must have a list `array`/],
  [
    'a list in capitals',
    'Array:\n- |\n  objectName: a\n  objectType: secret\n',
    /must have a list `array`.*; it has Array$/,
  ],
  ['a list that is empty', 'array: []', 0],
  ['a list that is null', 'array: ~', 0],
  ['a mapping in place of a text', 'array:\n- objectName: a\n  objectType: secret\n', /must be a text, written after/],
  ['no type', 'array:\n- |\n  objectName: a\n', /invalid objectType/],
  ['an unknown type', 'array:\n- |\n  objectName: a\n  objectType: cer\n', /invalid objectType: cer/],
  ['a name with a slash', 'array:\n- |\n  objectName: a/b\n  objectType: key\n', /objectName must be/],
  ['a text', 'array', /must have a list/],
  ['YAML that is none', 'array: {', /failed to yaml unmarshal objects/],
  ['anchors that grow without end', bomb, /failed to yaml unmarshal objects/],
])('objects with %s', async (_, text, expected) => {
  const list = readProviderObjects(text, 0o644);
  if (typeof expected === 'number') expect(await list).toHaveLength(expected);
  else await expect(list).rejects.toThrow(expected);
});
