/** Every kind whose keys can be renewed, on the sandbox; whatever is published is held against every renewal. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ArmKindDefinition, armKinds, resourceOf } from '../../../runtime/api/kinds.ts';
import { valueAt } from '../../../runtime/arm-kinds/body/value-path.ts';
import { exportAction } from '../../../runtime/arm-kinds/export/export-plan.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { listAll } from '../../../runtime/kube/client/paginate.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { type Example, exampleName, exampleOf } from '../kinds/examples.ts';
import {
  armRequests,
  condition,
  events,
  type RunningOperator,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';
import { KeyWatch } from './key-watch.ts';

const overlapMs = 400;
const limitMs = 60_000;
const watch = new KeyWatch(overlapMs);
let azure: EmbeddedAzure;
let world: World;
let operator: RunningOperator;
const examples = new Map<string, Example>();
const groupKind = armKinds.find(({ kind }) => kind === 'ResourceGroup') as ArmKindDefinition;
const rotatable = armKinds.filter(({ arm }) => arm.keyRotation);
const cases = rotatable.map((kind) => [`${kind.group.split('.')[0]}/${kind.kind}`, kind] as const);

beforeAll(async () => {
  azure = await startEmbeddedAzure({
    arm: { operationMs: 50, retryAfterSeconds: 0, alwaysRetryAfter: true },
    behaviours: watch.behaviours,
  });
  const around = { subscriptionId: azure.subscriptionId, tenantId: azure.tenantId, principalId: '' };
  const needed = new Map<string, ArmKindDefinition>();
  const add = (kind: ArmKindDefinition) => {
    const owner = kind.arm.owner;
    const above = armKinds.find(({ group, kind: name }) => group === owner?.group && name === owner?.kinds[0]);
    if (above) add(above);
    needed.set(`${kind.group}/${kind.kind}`, kind);
  };
  for (const kind of rotatable) add(kind);
  world = await startWorld({ azure, kinds: [...needed.keys()].join(';') });
  operator = await world.startOperator({}, { wrap: watch.wrap, rotationOverlapMs: overlapMs });
  for (const [id, kind] of needed) examples.set(id, exampleOf(kind, around));
  for (const { kind, name, spec } of examples.values()) await world.apply(resourceOf(kind), name, spec);
  for (const { kind, name } of examples.values()) await untilReady(world, resourceOf(kind), name);
}, 240_000);
afterAll(async () => {
  await world?.close();
  await azure?.close();
});
afterEach(() => {
  azure.faults.clear();
  expect(watch.violations).toEqual([]);
});

const nameOf = (kind: ArmKindDefinition) => exampleName(kind);
const key = (name: string) => ({ namespace: 'default', name });
const rotated = (object: KubeObject | undefined) =>
  ((object?.['status']?.conditions ?? []) as { type: string; status: string; reason: string; message?: string }[]).find(
    ({ type }) => type === 'KeysRotated',
  );
const annotate = (kind: ArmKindDefinition, changes: Record<string, string | null>) =>
  world.client.patch(resourceOf(kind), key(nameOf(kind)), {
    type: 'merge',
    body: { metadata: { annotations: changes } },
  });
const read = (kind: ArmKindDefinition) => world.client.get(resourceOf(kind), key(nameOf(kind)));

/** The object once its condition says so about the request that was just made, and nothing of it is left to do. */
const reported = (kind: ArmKindDefinition, reason: string) =>
  until(
    `${kind.kind} says ${reason}`,
    async () => {
      const object = await read(kind);
      const over = reason !== 'Rotated' || object.metadata.annotations?.[annotations.rotation] === undefined;
      return rotated(object)?.reason === reason && over && object;
    },
    limitMs,
  );
const isMet = (kind: ArmKindDefinition, before: string | undefined) =>
  until(
    `the keys of ${kind.kind} are new`,
    async () => {
      const object = await read(kind);
      const met = object.metadata.annotations?.[annotations.keysRotated];
      return met !== undefined && met !== before && rotated(object)?.status === 'True' && object;
    },
    limitMs,
  );
const metBefore = async (kind: ArmKindDefinition) => (await read(kind)).metadata.annotations?.[annotations.keysRotated];

const renewalsOf = ({ arm }: ArmKindDefinition, id: string, after: number) => {
  const path = exportAction(id, arm.keyRotation?.action ?? { method: '', path: '', apiVersion: '' }).path.toLowerCase();
  const found = azure.journal.entries({ service: 'arm', method: 'POST', after, effective: true });
  return found.filter((entry) => entry.path.toLowerCase() === path);
};
const mark = () => azure.journal.entries({}).at(-1)?.seq ?? 0;

/** What Azure lists now, by the names of the kind's secrets. */
async function listed({ arm }: ArmKindDefinition, id: string): Promise<Record<string, unknown>> {
  const action = arm.secretSource?.action;
  if (!action) throw new Error('nothing to list');
  const { body } = await world.portal.arm('POST', exportAction(id, action).path, action.apiVersion);
  const read = Object.entries(arm.secretSource?.secrets ?? {}).filter(([, { from }]) => from === 'action');
  return Object.fromEntries(read.map(([name, { path = '' }]) => [name, valueAt(body, path)]));
}

async function published(name: string): Promise<Record<string, string>> {
  const { data = {} } = (await world.get(secrets, name)) as unknown as { data?: Record<string, string> };
  return Object.fromEntries(Object.entries(data).map(([k, v]) => [k, Buffer.from(v, 'base64').toString('utf8')]));
}

test.each(cases)(
  '%s: one request renews each key once, secondary first, and what is published is alive at every moment',
  async (_, kind) => {
    const name = nameOf(kind);
    const { id } = (await read(kind))['status'];
    const before = await published(`${name}-secrets`);
    const from = mark();
    const already = watch.renewals.length;
    await annotate(kind, { [annotations.rotateKeys]: 'first' });
    const object = await isMet(kind, undefined);
    const { primary, secondary } = kind.arm.keyRotation ?? { primary: [], secondary: [] };
    const wanted = [...secondary, ...primary].map(({ secret }) => secret);
    expect(renewalsOf(kind, id, from)).toHaveLength(wanted.length);
    expect(watch.renewals.slice(already).map(({ names }) => names.filter((each) => wanted.includes(each)))).toEqual(
      wanted.map((secret) => [secret]),
    );
    const now = await published(`${name}-secrets`);
    const inAzure = await listed(kind, id);
    for (const secret of wanted) expect(now[secret]).not.toBe(before[secret]);
    expect(now).toMatchObject(inAzure);
    expect(await published(`${name}-cel`)).toMatchObject(
      Object.fromEntries(Object.keys(await published(`${name}-cel`)).map((each) => [each, now[each]])),
    );
    expect(condition(object)?.status).toBe('True');
    expect(object.metadata.annotations?.[annotations.rotation]).toBeUndefined();
    expect(azure.journal.entries({ service: 'arm', method: 'PUT', after: from })).toEqual([]);
    expect(azure.journal.reusedTokens()).toEqual([]);
  },
);

const account = rotatable.find(({ kind }) => kind === 'StorageAccount') as ArmKindDefinition;
const accountId = async () => (await read(account))['status'].id as string;

test('the same word asks for nothing more, a new one for new keys', async () => {
  const id = await accountId();
  const from = mark();
  await annotate(account, { [annotations.rotateKeys]: 'first', [annotations.ignoreFields]: 'tags' });
  await until('the object was read', async () =>
    armRequests(world, 'GET', /storageAccounts\/azmstacx1$/).some(({ seq }) => seq > from),
  );
  await untilReady(world, types.account, nameOf(account));
  expect(renewalsOf(account, id, from)).toEqual([]);
  const met = await metBefore(account);
  await annotate(account, { [annotations.rotateKeys]: 'second', [annotations.ignoreFields]: null });
  await isMet(account, met);
  expect(renewalsOf(account, id, from)).toHaveLength(2);
  const { items } = await listAll<KubeObject>(world.client, events);
  const reasons = items.filter(({ regarding }) => (regarding as { name?: string }).name === nameOf(account));
  expect(reasons.map(({ reason }) => reason)).toEqual(
    expect.arrayContaining(['KeyRotationBegun', 'RenewingKey', 'KeysRotated']),
  );
});

test('while keys are renewed the resource stays ready, also when its spec is edited, and the edit is sent', async () => {
  const met = await metBefore(account);
  const id = await accountId();
  const from = mark();
  await annotate(account, { [annotations.rotateKeys]: 'third', [annotations.rotationOverlap]: '3s' });
  await reported(account, 'Rotating');
  await world.apply(types.account, nameOf(account), {
    ...examples.get('storage.azure.com/StorageAccount')?.spec,
    tags: { a: 'b' },
  });
  const ready = await untilReady(world, types.account, nameOf(account));
  expect(ready['status'].tags).toEqual({ a: 'b' });
  expect(rotated(ready)).toMatchObject({
    status: 'False',
    reason: 'Rotating',
    message: expect.stringContaining('key2'),
  });
  await annotate(account, { [annotations.rotationOverlap]: null });
  await isMet(account, met);
  expect(renewalsOf(account, id, from)).toHaveLength(2);
});

test('a rotation that Azure made although its answer was lost is not requested again', async () => {
  const met = await metBefore(account);
  const id = await accountId();
  const from = mark();
  azure.faults.add({ method: 'POST', path: 'regenerateKey', times: 2, connection: 'dropAfter' });
  await annotate(account, { [annotations.rotateKeys]: 'fourth' });
  await isMet(account, met);
  expect(renewalsOf(account, id, from)).toHaveLength(2);
});

test('a refusal is reported, nothing is lost by it, and a change of the object goes on where it stopped', async () => {
  const met = await metBefore(account);
  const id = await accountId();
  const from = mark();
  const body = { error: { code: 'InvalidRequestContent', message: 'No keys today.' } };
  azure.faults.add({ method: 'POST', path: 'regenerateKey', skip: 1, times: 0, status: 400, body, id: 'refuse' });
  await annotate(account, { [annotations.rotateKeys]: 'fifth' });
  const failed = await reported(account, 'InvalidRequestContent');
  expect(rotated(failed)).toMatchObject({
    status: 'False',
    severity: 'Error',
    message: 'No keys today. It is not tried again until the object changes.',
  });
  expect(condition(failed)?.status).toBe('True');
  expect(renewalsOf(account, id, from)).toHaveLength(1);
  const { key1, key2 } = await published(`${nameOf(account)}-secrets`);
  const inAzure = await listed(account, id);
  expect({ key1, key2 }).toEqual({ key1: inAzure['key2'], key2: inAzure['key2'] });
  azure.faults.remove('refuse');
  await world.apply(types.account, nameOf(account), {
    ...examples.get('storage.azure.com/StorageAccount')?.spec,
    tags: { c: 'd' },
  });
  await isMet(account, met);
  expect(renewalsOf(account, id, from)).toHaveLength(2);
  expect(await published(`${nameOf(account)}-secrets`)).toMatchObject(await listed(account, id));
});

test('an operation of Cosmos that fails is tried again, and each key is new once', async () => {
  const cosmos = rotatable.find(({ kind }) => kind === 'DatabaseAccount') as ArmKindDefinition;
  const met = await metBefore(cosmos);
  const already = watch.renewals.length;
  const operation = { state: 'failed', code: 'ServiceUnavailable', message: 'later' } as const;
  azure.faults.add({ method: 'POST', path: 'regenerateKey', skip: 1, times: 1, operation });
  await annotate(cosmos, { [annotations.rotateKeys]: 'second' });
  await isMet(cosmos, met);
  expect(watch.renewals.slice(already)).toHaveLength(4);
});

test('under the policy skip nothing is renewed until it is lifted; a kind without key pairs says so', async () => {
  const redis = rotatable.find(({ kind }) => kind === 'Redis') as ArmKindDefinition;
  const { id } = (await read(redis))['status'];
  const met = await metBefore(redis);
  const from = mark();
  await annotate(redis, { [annotations.reconcilePolicy]: 'skip', [annotations.rotateKeys]: 'held' });
  await reported(redis, 'RotationHeld');
  expect(renewalsOf(redis, id, from)).toEqual([]);
  await annotate(redis, { [annotations.reconcilePolicy]: null, [annotations.rotationOverlap]: 'a while' });
  await reported(redis, 'RotationOverlapInvalid');
  await annotate(redis, { [annotations.rotationOverlap]: '500ms' });
  await isMet(redis, met);
  expect(renewalsOf(redis, id, from)).toHaveLength(2);
  await annotate(groupKind, { [annotations.rotateKeys]: 'x' });
  const unable = await reported(groupKind, 'RotationNotSupported');
  expect(rotated(unable)?.message).toContain('ResourceGroup has no pair of keys');
  expect(condition(unable)?.status).toBe('True');
});

test('only what is published under a secondary name costs a wait before the first renewal', async () => {
  const spec = {
    location: 'westeurope',
    kind: 'StorageV2',
    sku: { name: 'Standard_LRS' },
    owner: { name: nameOf(groupKind) },
  };
  const asked = { [annotations.rotateKeys]: '1', [annotations.rotationOverlap]: '1h' };
  const primary = { operatorSpec: { secrets: { key1: { name: 'onlyprimary', key: 'k' } } } };
  await world.apply(types.account, 'onlyprimary', { ...spec, ...primary }, { annotations: asked });
  await until(
    'its secondary is new',
    async () => armRequests(world, 'POST', /onlyprimary\/regenerateKey$/).length === 1,
  );
  const both = { operatorSpec: { secrets: { key2: { name: 'secondary', key: 'k' } } } };
  await world.apply(types.account, 'withsecondary', { ...spec, ...both }, { annotations: asked });
  const waiting = await until('it waits', async () => {
    const object = await world.client.tryGet(types.account, key('withsecondary'));
    return object?.['status']?.conditions && rotated(object)?.reason === 'Rotating' && object;
  });
  expect(rotated(waiting)?.message).toContain('secondary key key2');
  expect(armRequests(world, 'POST', /withsecondary\/regenerateKey$/)).toEqual([]);
});

test('what is in a vault goes the same way: in between it has the keys that stay, also within connection strings', async () => {
  const rg = nameOf(groupKind);
  const vaultSpec = {
    location: 'westeurope',
    owner: { name: rg },
    properties: { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, enableRbacAuthorization: true },
  };
  await world.apply(types.vault, 'azmrotation', vaultSpec);
  const { id: vaultId } = (await untilReady(world, types.vault, 'azmrotation'))['status'];
  azure.assignRole(azure.defaultApp.objectId, 'Key Vault Secrets Officer', vaultId);
  const cosmos = rotatable.find(({ kind }) => kind === 'DatabaseAccount') as ArmKindDefinition;
  const database = resourceOf(cosmos);
  const spec = {
    ...examples.get('documentdb.azure.com/DatabaseAccount')?.spec,
    operatorSpec: { keyVault: { vault: 'azmrotation', name: 'cosmos' } },
  };
  await world.apply(database, 'vaulted', spec);
  const { id } = (await untilReady(world, database, 'vaulted'))['status'];
  const inVault = async () => {
    const token = await world.portal.token('https://vault.azure.net/.default');
    const url = `https://azmrotation.${azure.endpoints.vaultSuffix}/secrets/cosmos?api-version=7.4`;
    const { value } = (await world.portal.send('GET', url, { token })).body as { value: string };
    return Object.values(JSON.parse(value) as Record<string, string>).map((each) =>
      Buffer.from(each, 'base64').toString(),
    );
  };
  const has = (values: readonly string[], key: unknown) => values.some((value) => value.includes(String(key)));
  const before = await listed(cosmos, id);
  expect([
    has(await inVault(), before['primaryMasterKey']),
    has(await inVault(), before['secondaryMasterKey']),
  ]).toEqual([true, true]);
  const patch = (changes: object) =>
    world.client.patch(database, key('vaulted'), { type: 'merge', body: { metadata: { annotations: changes } } });
  await patch({ [annotations.rotateKeys]: '1', [annotations.rotationOverlap]: '1h' });
  await until('the secondary is about to be renewed', async () => !has(await inVault(), before['secondaryMasterKey']));
  expect(has(await inVault(), before['secondaryReadonlyMasterKey'])).toBe(false);
  expect(has(await inVault(), before['primaryMasterKey'])).toBe(true);
  await patch({ [annotations.rotationOverlap]: '500ms' });
  await until('all is new', async () => {
    const { metadata } = await world.client.get(database, key('vaulted'));
    return metadata.annotations?.[annotations.keysRotated] !== undefined;
  });
  const after = await listed(cosmos, id);
  const shown = await inVault();
  for (const name of Object.keys(before)) {
    if (/MasterKey$/.test(name))
      expect([name, has(shown, before[name]), has(shown, after[name])]).toEqual([name, false, true]);
  }
});

test('a restarted program retries a permanent failure once', async () => {
  const met = await metBefore(account);
  const body = { error: { code: 'InvalidRequestContent', message: 'Not today.' } };
  azure.faults.add({ method: 'POST', path: 'regenerateKey', times: 0, status: 400, body, id: 'refuse' });
  await annotate(account, { [annotations.rotateKeys]: 'sixth' });
  await reported(account, 'InvalidRequestContent');
  const tries = armRequests(world, 'POST', /azmstacx1\/regenerateKey$/).length;
  await operator.stop();
  operator = await world.startOperator({}, { wrap: watch.wrap, rotationOverlapMs: overlapMs });
  await until('it is tried again', async () => armRequests(world, 'POST', /azmstacx1\/regenerateKey$/).length > tries);
  await untilReady(world, types.account, nameOf(account));
  azure.faults.remove('refuse');
  expect(armRequests(world, 'POST', /azmstacx1\/regenerateKey$/)).toHaveLength(tries + 1);
  await annotate(account, { [annotations.retry]: 'now' });
  await isMet(account, met);
});
