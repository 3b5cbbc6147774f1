import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import {
  armRequests,
  condition,
  configMaps,
  events,
  secrets,
  startWorldWithGroup,
  types,
  until,
  untilReady,
  type World,
} from '../operator/support.ts';

const server = resourceOf(kindOf('sql.azure.com', 'Server'));
const password = 'pass "word" \\ of 1 server/+=';
let world: World;

beforeAll(async () => {
  world = await startWorldWithGroup({ kinds: 'sql.azure.com/Server' });
  await writeSecret({ password });
});
afterAll(() => world?.close());
afterEach(() => world.azure.faults.clear());

const spec = {
  location: 'westeurope',
  owner: { name: 'rg' },
  administratorLogin: 'sa',
  administratorLoginPassword: { name: 'input', key: 'password' },
};
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`/servers/${name}$`));
const writeSecret = (stringData: Record<string, string>, metadata: object = {}) =>
  world.client.apply(
    secrets,
    { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name: 'input', ...metadata }, stringData },
    { fieldManager: 'test', force: true },
  );

/** All passes over an object until now, by what was logged of them. */
const passes = (name: string) =>
  world.log.filter((line) => line.includes('"reconciled"') && line.includes(`"name":"${name}"`)).length;

test('what changes in an input Secret besides the value sends nothing, also after a restart; a new value does', async () => {
  await world.apply(server, 'hashed', spec);
  await untilReady(world, server, 'hashed');
  const before = passes('hashed');
  await writeSecret({ password, another: 'key' }, { labels: { edited: 'yes' } });
  await until('the operator has read it', async () => passes('hashed') > before);
  const restarted = await world.startOperator();
  await until('the next one has too', async () => passes('hashed') > before + 1);
  await restarted.stop();
  expect(puts('hashed')).toHaveLength(1);

  await writeSecret({ password: `${password}!` });
  await until('the new value is sent', async () => puts('hashed').length === 2);
  await untilReady(world, server, 'hashed');
  const { annotations = {} } = (await world.get(server, 'hashed')).metadata;
  expect(JSON.stringify(annotations)).not.toContain('word');
  await writeSecret({ password });
});

test('a missing Secret or ConfigMap and a missing key have different errors, which name the keys and no values', async () => {
  const messageOf = async (name: string, reason: string) =>
    condition(await untilReady(world, server, name, reason))?.message;
  const from = (name: string, key: string) => ({ ...spec, administratorLoginPassword: { name, key } });
  await world.apply(server, 'nosecret', from('nothing', 'password'));
  expect(await messageOf('nosecret', 'SecretNotFound')).toBe(
    'Secret nothing does not exist yet (named by administratorLoginPassword)',
  );
  await world.apply(server, 'nokey', from('input', 'Password'));
  expect(await messageOf('nokey', 'SecretNotFound')).toMatch(
    /^Secret input has no key Password; it has (another, )?password \(named by administratorLoginPassword\)$/,
  );

  const issuerFromConfig = { name: 'lookedin', key: 'issuer' };
  await world.apply(types.identity, 'holder', { owner: { name: 'rg' }, location: 'westeurope' });
  const credential = {
    owner: { name: 'holder' },
    audiences: ['a'],
    subject: 's',
    issuerFromConfig,
  };
  await world.apply(types.federated, 'noissuer', credential);
  expect(condition(await untilReady(world, types.federated, 'noissuer', 'ConfigMapNotFound'))?.message).toBe(
    'ConfigMap lookedin does not exist yet (named by issuerFromConfig)',
  );
  const write = (data: Record<string, string>) =>
    world.client.apply(
      configMaps,
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'default', name: 'lookedin' }, data },
      { fieldManager: 'test', force: true },
    );
  const says = (text: string) =>
    until(text, async () => condition(await world.get(types.federated, 'noissuer'))?.message === text);
  await write({});
  await says('ConfigMap lookedin has no key issuer; it has none (named by issuerFromConfig)');
  await write(Object.fromEntries(Array.from('lkjihgfedcba', (letter) => [letter, 'a value'])));
  await says(
    'ConfigMap lookedin has no key issuer; it has a, b, c, d, e, f, g, h, i, j and 2 more (named by issuerFromConfig)',
  );
  expect(JSON.stringify(await world.get(types.federated, 'noissuer'))).not.toContain('a value');
});

test('a secret that Azure repeats in a refusal is in no condition, event or log line', async () => {
  const said = (text: string) => ({ error: { code: 'PasswordTooPlain', message: text, details: [] } });
  world.azure.faults.add({
    method: 'PUT',
    path: 'servers/echoed',
    status: 400,
    body: said(`The value ${password} of ${encodeURIComponent(password)} is too plain`),
  });
  await world.apply(server, 'echoed', spec);
  const refused = await untilReady(world, server, 'echoed', 'PasswordTooPlain');
  expect(condition(refused)?.message).toContain('The value *** of *** is too plain');

  world.azure.faults.add({
    method: 'PUT',
    path: 'servers/echoed',
    operation: { state: 'failed', code: 'PasswordStillTooPlain', message: `No, not ${JSON.stringify(password)}` },
  });
  await world.apply(server, 'echoed', { ...spec, tags: { again: 'yes' } });
  const failed = await untilReady(world, server, 'echoed', 'PasswordStillTooPlain');
  expect(condition(failed)?.message).toContain('No, not "***"');

  // A page longer than what is kept of it is cut after the secret is, not within it.
  world.azure.faults.clear();
  const page = `${'x'.repeat(485)} ${password}`;
  world.azure.faults.add({ method: 'PUT', path: 'servers/page', status: 502, body: page });
  await world.apply(server, 'page', spec);
  await until('it is reported', async () => condition(await world.get(server, 'page'))?.message?.includes('xxx ***'));

  const objects = (await world.client.list(server)).items;
  const written = await until('events are written', async () => {
    const { items } = await world.client.list(events);
    return JSON.stringify(items).includes('PasswordStillTooPlain') && items;
  });
  const everything = [JSON.stringify(objects), JSON.stringify(written), world.log.join('\n')].join('\n');
  const forms = [password, encodeURIComponent(password), Buffer.from(password).toString('base64'), 'of 1 server'];
  for (const form of [...forms, JSON.stringify(password).slice(1, -1)]) expect(everything).not.toContain(form);
});
