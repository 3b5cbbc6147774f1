/** Changes that come in while a request is cut off, held back or not to be made: none is lost, and none counts as done. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { PasswordWatch, textOf } from '../credentials/password-watch.ts';
import { armRequests, condition, secrets, startWorld, types, until, untilReady, type World } from '../support.ts';

const server = resourceOf(kindOf('sql.azure.com', 'Server'));
const watch = new PasswordWatch();
let azure: EmbeddedAzure;
let world: World;

beforeAll(async () => {
  world = await startWorld({ behaviours: watch.behaviours, kinds: 'sql.azure.com/Server' });
  azure = world.azure;
  await world.startOperator();
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterEach(() => azure.faults.clear());
afterAll(() => world?.close());

const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`/${name}$`));
const stored = async (name: string) => textOf(await world.client.tryGet(secrets, { namespace: 'default', name }));
const annotate = (name: string, own: Record<string, string | null>) =>
  world.client.patch(
    server,
    { namespace: 'default', name },
    { type: 'merge', body: { metadata: { annotations: own } } },
  );
const writePassword = (name: string, password: string) =>
  world.client.apply(
    secrets,
    { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name }, stringData: { password } },
    { fieldManager: 'test', force: true },
  );
const rotated = async (name: string) =>
  ((await world.get(server, name))['status']?.conditions as { type: string; status: string; reason: string }[])?.find(
    ({ type }) => type === 'CredentialsRotated',
  );

test('a password that is changed after the answer to its PUT was lost is set', async () => {
  await writePassword('mine', 'First-passw0rd');
  azure.faults.add({ method: 'PUT', path: '/servers/cutoff', connection: 'dropAfter' });
  azure.faults.add({ method: 'GET', path: '/servers/cutoff', skip: 1, times: 0, status: 503, id: 'away' });
  await world.apply(server, 'cutoff', {
    location: 'westeurope',
    owner: { name: 'rg' },
    administratorLogin: 'shopadmin',
    administratorLoginPassword: { name: 'mine', key: 'password' },
  });
  await until('the server was made, without a word to the operator', async () => watch.of('cutoff') !== undefined);
  await writePassword('mine', 'Second-passw0rd');
  azure.faults.remove('away');
  await untilReady(world, server, 'cutoff');
  expect(watch.of('cutoff')).toBe('Second-passw0rd');
  expect(puts('cutoff')).toHaveLength(2);
});

test('a new password that does not go to Azure, as the policy is skip, does not take the place of the one that Azure has', async () => {
  const own = { [annotations.reconcilePolicy]: 'skip' };
  await world.apply(server, 'held', {
    location: 'westeurope',
    owner: { name: 'rg' },
    operatorSpec: {
      generatedCredentials: { name: 'held-admin' },
      secretExpressions: [{ name: 'held-copy', key: 'copy', value: 'secret.password' }],
    },
  });
  await untilReady(world, server, 'held');
  const before = await stored('held-admin');
  azure.faults.add({ method: 'PUT', path: '/servers/held', times: 0, status: 503, id: 'away' });
  await annotate('held', { [annotations.rotateCredentials]: 'now' });
  await until('a new password is stored', async () => (await stored('held-admin'))['pendingPassword']);
  await untilReady(world, server, 'held', 'HTTP503');
  await annotate('held', own);
  await untilReady(world, server, 'held');
  const { pendingPassword, ...rest } = await stored('held-admin');
  expect(rest).toEqual(before);
  expect(rest['password']).toBe(watch.of('held'));
  expect(await stored('held-copy')).toEqual({ copy: rest['password'] });
  expect(await rotated('held')).toMatchObject({ status: 'False', reason: 'Rotating' });

  azure.faults.remove('away');
  await annotate('held', { [annotations.reconcilePolicy]: null });
  await until('the new one is set', async () => watch.of('held') === pendingPassword);
  await until('the new one has its place', async () => (await rotated('held'))?.status === 'True');
  expect(await stored('held-admin')).toEqual({ ...before, password: pendingPassword });
  expect(await stored('held-copy')).toEqual({ copy: pendingPassword });
});

test('a generated password cannot be an ignored field, since others would not get the next one', async () => {
  await world.apply(
    server,
    'left',
    { location: 'westeurope', owner: { name: 'rg' }, operatorSpec: { generatedCredentials: { name: 'left-admin' } } },
    { annotations: { [annotations.ignoreFields]: 'tags.cost, administratorLoginPassword' } },
  );
  const refused = await untilReady(world, server, 'left', 'ReconciliationFailedPermanently');
  expect(condition(refused)?.message).toMatch(
    /administratorLoginPassword, which operatorSpec.generatedCredentials sets/,
  );
  expect(puts('left')).toHaveLength(0);
  await annotate('left', { [annotations.ignoreFields]: null });
  await untilReady(world, server, 'left');
});
