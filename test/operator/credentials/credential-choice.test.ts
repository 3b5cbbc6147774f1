/** Which credential an object gets, without a cluster and without Azure. */
import { expect, test } from '@jest/globals';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { cloudFromEnvironment } from '../../../runtime/azure/clouds.ts';
import type { Credential, CredentialDeps } from '../../../runtime/azure/identity/credential.ts';
import type { CacheHandler, WatchedCache } from '../../../runtime/kube/cache/types.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import { Credentials } from '../../../runtime/operator/credentials/credentials.ts';
import type { CredentialFinalizers } from '../../../runtime/operator/credentials/in-use-finalizer.ts';

const cloud = cloudFromEnvironment({});
const operatorsOwn = { cloud } as Credential;
const signal = new AbortController().signal;

interface Around {
  /** Names of Secrets of the namespace that there are. */
  readonly secrets?: readonly string[];
  /** Secrets that are kept by this operator's finalizer only. */
  readonly isGone?: boolean;
  /** Those that the cache knows of. @default all */
  readonly cached?: readonly string[];
}

function choose(
  own: Record<string, string>,
  { secrets = [], isGone = false, cached = secrets }: Around = {},
  deleting = false,
) {
  const among = (names: readonly string[]) => (key: { readonly name: string }) =>
    names.includes(key.name) ? { metadata: { name: key.name } } : undefined;
  const client = {
    tryGet: async (_: unknown, key: { readonly name: string }) => among(secrets)(key),
  } as unknown as KubeClient;
  const holds = { isGone: async () => isGone, ensure: async () => undefined } as unknown as CredentialFinalizers;
  const cache = { get: among(cached), onChange: () => undefined } as unknown as WatchedCache;
  const credentials = new Credentials(client, operatorsOwn, {} as CredentialDeps, cache, holds);
  const object: KubeObject = {
    apiVersion: 'x/v1',
    kind: 'X',
    metadata: { namespace: 'ns', name: 'x', annotations: own, ...(deleting && { deletionTimestamp: 'now' }) },
  };
  return credentials.credentialFor(object, signal);
}

const made = { [annotations.credential]: 'ns/aso-credential', [annotations.resourceId]: '/subscriptions/s' };
const waiting = { credential: undefined, usesOperatorCredential: false, waits: [{ reason: 'SecretNotFound' }] };

test('without a Secret it is the operator’s own', async () => {
  expect(await choose({})).toMatchObject({
    credential: operatorsOwn,
    source: 'global',
    usesOperatorCredential: true,
    waits: [],
  });
  expect(await choose(made)).toMatchObject({ source: 'global', usesOperatorCredential: true });
});

test('a Secret of another namespace cannot be named', async () => {
  await expect(choose({ [annotations.credentialFrom]: 'other/secret' })).rejects.toMatchObject({
    code: 'AZ_CONFIG_INVALID',
    message: expect.stringContaining('a Secret of the same namespace, got `other/secret`'),
  });
});

test('a Secret that an annotation names is waited for, and no other credential is taken', async () => {
  const own = { [annotations.credentialFrom]: 'mine' };
  expect(await choose(own)).toMatchObject({ ...waiting, source: 'ns/mine' });
  expect(await choose(own, { secrets: ['aso-credential'] })).toMatchObject({ ...waiting, source: 'ns/mine' });
  expect(await choose(own, { secrets: ['mine'], isGone: true })).toMatchObject({ ...waiting, source: 'ns/mine' });
});

test('a resource is not deleted with another credential than it was made with', async () => {
  expect(await choose(made, {}, true)).toMatchObject({ ...waiting, source: 'ns/aso-credential' });
  expect(await choose({ ...made, [annotations.credential]: 'global' }, {}, true)).toMatchObject({ source: 'global' });
});

test('a Secret that holds no credential is named', async () => {
  await expect(choose({}, { secrets: ['aso-credential'] })).rejects.toMatchObject({
    code: 'AZ_CONFIG_INVALID',
    message: expect.stringContaining('ns/aso-credential'),
  });
});

test('before the first request to Azure the operator reads a Secret that the cache does not have yet, and not after that', async () => {
  const around = { secrets: ['aso-credential'], cached: [] };
  await expect(choose({}, around)).rejects.toMatchObject({ code: 'AZ_CONFIG_INVALID' });
  expect(await choose({ [annotations.resourceId]: '/subscriptions/s' }, around)).toMatchObject({ source: 'global' });
});

test('a Secret is parsed once for each version, and again when the Secret is created again', async () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const data = Object.fromEntries(
    ['SUBSCRIPTION_ID', 'TENANT_ID', 'CLIENT_ID', 'CLIENT_SECRET'].map((name) => [
      `AZURE_${name}`,
      base64(name.replaceAll('_', '-')),
    ]),
  );
  let versions: { uid: string; resourceVersion: string } | undefined;
  const tryGet = async () => versions && { metadata: { namespace: 'ns', name: 'aso-credential', ...versions }, data };
  const holds = { isGone: async () => false, ensure: async () => undefined } as unknown as CredentialFinalizers;
  let tell: CacheHandler | undefined;
  const onChange = (handler: CacheHandler) => {
    tell = handler;
  };
  const cache = { get: () => undefined, onChange } as unknown as WatchedCache;
  const client = { tryGet } as unknown as KubeClient;
  const credentials = new Credentials(client, operatorsOwn, { cloud: {} } as CredentialDeps, cache, holds);
  const object: KubeObject = { apiVersion: 'x/v1', kind: 'X', metadata: { namespace: 'ns', name: 'x' } };
  const at = async (uid: string, resourceVersion: string) => {
    versions = { uid, resourceVersion };
    return (await credentials.credentialFor(object, signal)).credential;
  };
  const first = await at('a', '1');
  expect(first).toMatchObject({ clientId: 'CLIENT-ID' });
  expect(await at('a', '1')).toBe(first);
  const [second, third] = [await at('a', '2'), await at('b', '2')];
  expect(new Set([first, second, third]).size).toBe(3);
  tell?.({ type: 'deleted', old: { ...object, metadata: { namespace: 'ns', name: 'aso-credential' } } });
  const fourth = await at('b', '2');
  expect(fourth).not.toBe(third);
  tell?.({ type: 'deleted', old: { ...object, metadata: { namespace: 'other', name: 'aso-credential' } } });
  expect(await at('b', '2')).toBe(fourth);
  versions = undefined;
  expect((await credentials.credentialFor(object, signal)).credential).toBe(operatorsOwn);
  expect(await at('b', '2')).not.toBe(fourth);
});

test('Secrets of a megabyte keep few credentials in memory, and evict none of another namespace', async () => {
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const data = (secret: string) => ({
    AZURE_SUBSCRIPTION_ID: base64('s'),
    AZURE_TENANT_ID: base64('t'),
    AZURE_CLIENT_ID: base64('c'),
    AZURE_CLIENT_SECRET: secret,
  });
  const long = base64('x'.repeat(700_000));
  const client = {
    tryGet: async (_: unknown, { namespace, name }: { readonly namespace: string; readonly name: string }) => ({
      metadata: { namespace, name, uid: name, resourceVersion: '1' },
      data: data(namespace === 'hostile' ? long : base64('short')),
    }),
  } as unknown as KubeClient;
  const hold = { isGone: async () => false, ensure: async () => undefined };
  const cache = { get: () => ({}), onChange: () => undefined } as unknown as WatchedCache;
  const credentials = new Credentials(client, operatorsOwn, { cloud } as CredentialDeps, cache, hold);
  const of = async (namespace: string, name: string) => {
    const own = { [annotations.credentialFrom]: name };
    const object = { apiVersion: 'x/v1', kind: 'X', metadata: { namespace, name: 'x', annotations: own } };
    return (await credentials.credentialFor(object, signal)).credential;
  };
  const good = await of('good', 'own');
  const hostile: unknown[] = [];
  for (let count = 0; count < 20; count++) hostile.push(await of('hostile', `secret-${count}`));
  expect(await of('good', 'own')).toBe(good);
  expect(await of('hostile', 'secret-19')).toBe(hostile[19]);
  expect(await of('hostile', 'secret-0')).not.toBe(hostile[0]);
});
