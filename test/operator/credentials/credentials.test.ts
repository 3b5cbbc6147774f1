/** Generated administrators: stored before they are sent, set again, never two. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { listAll } from '../../../runtime/kube/client/paginate.ts';
import type { KubeClient, KubeObject } from '../../../runtime/kube/client/types.ts';
import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import { clientWith } from '../../fakes/client-with.ts';
import {
  armRequests,
  condition,
  events,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../support.ts';
import { PasswordWatch, textOf } from './password-watch.ts';

const servers = {
  sql: resourceOf(kindOf('sql.azure.com', 'Server')),
  postgres: resourceOf(kindOf('dbforpostgresql.azure.com', 'FlexibleServer')),
  mysql: resourceOf(kindOf('dbformysql.azure.com', 'FlexibleServer')),
};
const watch = new PasswordWatch();
let azure: EmbeddedAzure;
let world: World;
/** What happens before a Secret is made by the operator. */
let beforeCreate: (name: string) => Promise<void> = async () => {};

const wrap = (client: KubeClient): KubeClient =>
  clientWith(client, {
    async create(...args: Parameters<KubeClient['create']>) {
      const [type, object] = args;
      if (type.kind === 'Secret') await beforeCreate(object.metadata?.name ?? '');
      return client.create(...args);
    },
  });

beforeAll(async () => {
  world = await startWorld({ behaviours: watch.behaviours, kinds: 'dbfor*/FlexibleServer;sql.azure.com/Server' });
  azure = world.azure;
  await world.startOperator({}, { wrap });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());

const spec = (name: string, more: object = {}) => ({
  location: 'westeurope',
  owner: { name: 'rg' },
  operatorSpec: { generatedCredentials: { name } },
  ...more,
});
const key = (name: string) => ({ namespace: 'default', name });
const stored = async (name: string) => textOf(await world.client.tryGet(secrets, key(name)));
const puts = (name: string) => armRequests(world, 'PUT', new RegExp(`/${name}$`));
const rotated = (object: KubeObject | undefined) =>
  ((object?.['status']?.conditions ?? []) as { type: string; status: string; reason: string }[]).find(
    ({ type }) => type === 'CredentialsRotated',
  );
const annotate = (type: typeof servers.sql, name: string, value: string) =>
  world.client.patch(type, key(name), {
    type: 'merge',
    body: { metadata: { annotations: { [annotations.rotateCredentials]: value } } },
  });
const eventsOf = async (name: string) => {
  const { items } = await listAll<KubeObject>(world.client, events);
  return items
    .filter(({ regarding }) => (regarding as { name?: string }).name === name)
    .map(({ reason, note }) => `${reason}: ${note}`);
};

test.each([
  ['sql', 'azureSqlServerName', 'database.windows.net', (login: string, name: string) => `${login}@${name}`],
  ['postgres', 'postgreSqlServerName', 'postgres.database.azure.com', (login: string) => login],
  ['mysql', 'mySqlServerName', 'mysql.database.azure.com', (login: string) => login],
] as const)(
  '%s: the Secret with v1’s keys lets one in, and the server was made with one PUT',
  async (kind, nameKey, domain, full) => {
    const type = servers[kind];
    const name = `first${kind}`;
    await world.apply(
      type,
      name,
      spec(`${name}-admin`, {
        operatorSpec: {
          generatedCredentials: { name: `${name}-admin`, labels: { app: 'shop' } },
          secretExpressions: [
            {
              name: `${name}-url`,
              key: 'url',
              value: '"db://" + secret.username + ":" + secret.password + "@" + self.status.fullyQualifiedDomainName',
            },
          ],
        },
      }),
    );
    const object = await untilReady(world, type, name);
    const found = await stored(`${name}-admin`);
    expect(found).toEqual({
      username: expect.stringMatching(/^az[a-z]{10}$/),
      password: watch.of(name),
      fullyQualifiedUsername: full(found['username'] ?? '', name),
      [nameKey]: name,
      fullyQualifiedServerName: `${name}.${domain}`,
    });
    const secret = await world.get(secrets, `${name}-admin`);
    expect(secret.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([object.metadata.uid]);
    expect(secret.metadata.labels).toEqual({ app: 'shop' });
    expect(await stored(`${name}-url`)).toEqual({
      url: `db://${found['username']}:${found['password']}@${name}.${domain}`,
    });
    expect(puts(name)).toHaveLength(1);
    expect(object['status'].administratorLogin).toBe(found['username']);
    expect(JSON.stringify(object)).not.toContain(found['password']);
    expect(world.log.join('\n')).not.toContain(found['password']);
    expect(await eventsOf(name)).toContain(
      `CredentialsStored: The administrator is generated and stored in Secret ${name}-admin`,
    );
    expect(azure.journal.reusedTokens()).toEqual([]);
  },
);

test('the password is stored before the server is asked for, with nothing beside it that is not true yet', async () => {
  azure.faults.add({ method: 'PUT', path: '/earlysql', times: 0, status: 503, id: 'away' });
  await world.apply(servers.sql, 'earlysql', spec('early-admin', { administratorLogin: 'chosen' }));
  await until('a PUT was tried', async () => puts('earlysql').length > 0);
  const early = await stored('early-admin');
  expect(early).toEqual({ username: 'chosen', password: expect.any(String) });
  azure.faults.remove('away');
  await untilReady(world, servers.sql, 'earlysql');
  expect(watch.passwords.get('earlysql')).toEqual([early['password']]);
});

test('of two writers that make it up at the same time, the second one takes the first one’s', async () => {
  let other: KubeObject | undefined;
  beforeCreate = async (name) => {
    if (name !== 'raced-admin' || other) return;
    const { metadata } = await world.get(servers.sql, 'racedsql');
    other = await world.client.create<KubeObject>(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: {
        ...key('raced-admin'),
        ownerReferences: [
          { apiVersion: 'sql.azure.com/v20211101', kind: 'Server', name: 'racedsql', uid: metadata.uid ?? '' },
        ],
      },
      data: { username: btoa('firstwriter'), password: btoa('Gu3ss-who.was-H3re') },
    } as KubeObject);
  };
  await world.apply(servers.sql, 'racedsql', spec('raced-admin'));
  await untilReady(world, servers.sql, 'racedsql');
  beforeCreate = async () => {};
  expect(watch.passwords.get('racedsql')).toEqual(['Gu3ss-who.was-H3re']);
  expect((await stored('raced-admin'))['username']).toBe('firstwriter');
});

test('in sync nothing is sent, also when others write beside the password', async () => {
  const before = puts('firstsql').length;
  const from = azure.journal.entries({}).at(-1)?.seq ?? 0;
  const label = { metadata: { labels: { theirs: 'x' } }, data: { theirs: btoa('y') } };
  await world.client.patch(secrets, key('firstsql-admin'), { type: 'merge', body: label });
  await world.apply(
    servers.sql,
    'firstsql',
    { ...((await world.get(servers.sql, 'firstsql'))['spec'] as object) },
    { annotations: { [annotations.ignoreFields]: 'tags' } },
  );
  await until('it was read', async () => armRequests(world, 'GET', /servers\/firstsql$/).some(({ seq }) => seq > from));
  await untilReady(world, servers.sql, 'firstsql');
  expect(puts('firstsql')).toHaveLength(before);
  expect((await stored('firstsql-admin'))['theirs']).toBe('y');
});

test('a new password is asked for by a new word: stored beside the old one, set, and put in its place', async () => {
  const type = servers.postgres;
  const old = await stored('firstpostgres-admin');
  azure.faults.add({ method: 'PUT', path: '/firstpostgres', times: 0, status: 503, id: 'away' });
  await annotate(type, 'firstpostgres', 'monday');
  const pending = await until(
    'the new one is pending',
    async () => (await stored('firstpostgres-admin'))['pendingPassword'],
  );
  expect((await stored('firstpostgres-admin'))['password']).toBe(old['password']);
  expect(watch.of('firstpostgres')).toBe(old['password']);
  await until('it says so', async () => rotated(await world.get(type, 'firstpostgres'))?.reason === 'Rotating');
  azure.faults.remove('away');
  await until('it is over', async () => rotated(await world.get(type, 'firstpostgres'))?.status === 'True');
  const now = await stored('firstpostgres-admin');
  expect(now).toEqual({ ...old, password: pending });
  expect(watch.passwords.get('firstpostgres')).toEqual([old['password'], pending]);
  expect((await stored('firstpostgres-url'))['url']).toContain(pending);
  expect(await eventsOf('firstpostgres')).toContain(
    'CredentialsRotated: Azure has the new password, and Secret firstpostgres-admin too',
  );
  const sent = puts('firstpostgres').length;
  await annotate(type, 'firstpostgres', 'tuesday');
  await until('there is a third', async () => watch.passwords.get('firstpostgres')?.length === 3);
  await untilReady(world, type, 'firstpostgres');
  await until(
    'it is over',
    async () => (await stored('firstpostgres-admin'))['password'] === watch.of('firstpostgres'),
  );
  expect(puts('firstpostgres')).toHaveLength(sent + 1);
});

test('a deleted Secret is created again with the user name of the server, and its password is set', async () => {
  const old = await stored('firstmysql-admin');
  await world.client.delete(secrets, key('firstmysql-admin'));
  await until('the new password is set', async () => {
    const now = await stored('firstmysql-admin');
    return now['fullyQualifiedServerName'] && now['password'] === watch.of('firstmysql');
  });
  const now = await stored('firstmysql-admin');
  expect(now).toEqual({ ...old, password: expect.any(String) });
  expect(now['password']).not.toBe(old['password']);
  expect(await eventsOf('firstmysql')).toContain(
    'CredentialsStored: Secret firstmysql-admin had no password: a new one is stored, and goes to Azure now',
  );
});

test('a password that somebody writes into the Secret is set', async () => {
  // No three letters in a row, which the random user name could have too: Azure would refuse the password then.
  const given = 'Wr1tt-3n.by-h4nd-t0d4y';
  await world.client.patch(secrets, key('firstmysql-admin'), {
    type: 'merge',
    body: { data: { password: btoa(given) } },
  });
  await until('it is set', async () => watch.of('firstmysql') === given);
});

test('a Secret of somebody else is left as it is, and no password is taken from it', async () => {
  const data = { username: btoa('theirs'), password: btoa('Th3ir-own.secret') };
  await world.client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: key('foreign'),
    data,
  } as KubeObject);
  await world.apply(servers.sql, 'foreignsql', spec('foreign'));
  const failed = await untilReady(world, servers.sql, 'foreignsql', 'FailedWritingAdditionalKubernetesObjects');
  expect(condition(failed)?.message).toContain('Secret foreign exists and does not belong to this Server');
  expect((await world.get(secrets, 'foreign'))['data']).toEqual(data);
  expect(puts('foreignsql')).toEqual([]);
});

test('no credentials are generated for a replica, nor for a server that is not adopted', async () => {
  await world.apply(servers.mysql, 'replica', spec('replica-admin', { createMode: 'Replica' }));
  const refused = await untilReady(world, servers.mysql, 'replica', 'ReconciliationFailedPermanently');
  expect(condition(refused)?.message).toContain('createMode Replica');
  const id = `/subscriptions/${azure.subscriptionId}/resourceGroups/rg/providers/Microsoft.Sql/servers/theirsql`;
  const properties = { administratorLogin: 'them', administratorLoginPassword: 'Th3m-and.nobody' };
  await world.portal.arm('PUT', id, '2021-11-01', { location: 'westeurope', properties });
  await until(
    'it is there',
    async () => (await world.portal.arm('GET', id, '2021-11-01')).body.properties.provisioningState === 'Succeeded',
  );
  await world.apply(servers.sql, 'theirsql', spec('their-admin'), { annotations: { [annotations.adopt]: 'never' } });
  await untilReady(world, servers.sql, 'theirsql', 'AdoptionRefused');
  expect(await stored('their-admin')).toEqual({});
  await world.apply(servers.sql, 'theirsql', spec('their-admin'), { annotations: { [annotations.adopt]: 'always' } });
  await untilReady(world, servers.sql, 'theirsql');
  expect(await stored('their-admin')).toMatchObject({ username: 'them', password: watch.of('theirsql') });
});

test('without generatedCredentials in the spec the Secret stays whole, as the server has its administrator still', async () => {
  await world.apply(servers.postgres, 'leaver', spec('leaver-admin'));
  await untilReady(world, servers.postgres, 'leaver');
  const before = await stored('leaver-admin');
  expect(Object.keys(before ?? {})).toContain('fullyQualifiedServerName');
  const byHand = {
    administratorLogin: before?.['username'],
    administratorLoginPassword: { name: 'leaver-admin', key: 'password' },
  };
  await world.apply(servers.postgres, 'leaver', spec('leaver-admin', { operatorSpec: {}, ...byHand }));
  await untilReady(world, servers.postgres, 'leaver');
  await until('the Secret is no longer kept', async () => {
    const { annotations: own } = (await world.get(servers.postgres, 'leaver')).metadata;
    return own?.[annotations.exports] === undefined;
  });
  expect(await stored('leaver-admin')).toEqual(before);
});
