import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { bindingsType, eventsType, identitiesType, secretsType, World } from '../support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const untilReady = (name: string, expected: string) => world.untilReady(name, expected);
const untilBindingReady = (name: string, expected: string) => world.untilReady(name, expected, 'default', bindingsType);

test('each mistake has a condition and an event with its fix, and the condition is True again afterwards', async () => {
  await world.vmNode('node-1');
  await world.bound('good');
  await world.pod('web', 'good', 'node-1');
  await world.identity('malformed', { resourceID: 'my-identity' });
  await world.identity('unsupported', { type: 7 });
  await world.identity('secretless', { type: 1, tenantID: 't', clientPassword: { namespace: 'app', name: 'creds' } });
  await world.identity('nameless', { type: 2, tenantID: 't' });
  await world.binding('to-nothing', 'x', 'nobody');
  await world.binding('to-malformed', 'x', 'malformed');
  await world.binding('empty', '', 'good');
  world.controller();

  expect(await untilReady('malformed', 'False InvalidResourceID')).toContain('"my-identity"');
  expect(await untilReady('unsupported', 'False UnsupportedType')).toContain('spec.type is 7');
  expect(await untilReady('secretless', 'False SecretNotFound')).toContain('app/creds');
  expect(await untilReady('nameless', 'False MissingField')).toContain('spec.clientPassword.name');
  expect(await untilBindingReady('to-nothing', 'False IdentityNotFound')).toContain('nobody');
  expect(await untilBindingReady('to-malformed', 'False IdentityNotUsable')).toContain('malformed');
  expect(await untilBindingReady('empty', 'False MissingField')).toContain('spec.selector');
  await untilReady('good', 'True Accepted');
  await untilBindingReady('good', 'True Accepted');
  await world.untilStates(['default/web-app-good Assigned']);
  await world.until(async () => {
    const { items } = await world.client.list(eventsType, { limit: 0 });
    const seen = items.map(({ regarding, reason }) => `${regarding.name} ${reason}`).sort();
    const wanted = ['malformed InvalidResourceID', 'secretless SecretNotFound', 'to-nothing IdentityNotFound'];
    return { ok: wanted.every((each) => seen.includes(each)), seen };
  }, 'events');

  const creds = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'app', name: 'creds' },
    stringData: { clientSecret: 'x' },
  };
  await world.client.create(secretsType, creds);
  await untilReady('secretless', 'True Accepted');
  await world.client.delete(secretsType, { namespace: 'app', name: 'creds' });
  await untilReady('secretless', 'False SecretNotFound');
  await world.azureIdentity('malformed');
  const body = { spec: { resourceID: world.identityId('malformed') } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'malformed' }, { type: 'merge', body });
  await untilBindingReady('to-malformed', 'True Accepted');
  await world.identity('nobody', {});
  await untilBindingReady('to-nothing', 'True Accepted');
});

test('an authority that the node daemon refuses has a condition, and the hosts of --authority-hosts are accepted', async () => {
  const clientPassword = { namespace: 'app', name: 'creds' };
  const foreign = { type: 1, tenantID: 't', clientPassword, adEndpoint: 'https://login.attacker.test/' };
  await world.client.create(secretsType, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: clientPassword,
    stringData: { clientSecret: 'x' },
  });
  await world.identity('foreign', foreign);
  await world.identity('own', { ...foreign, adEndpoint: 'https://adfs.contoso.test:8443/adfs' });
  world.controller({ authorities: { authorityHosts: ['adfs.contoso.test:8443'] } });
  const message = await untilReady('foreign', 'False AuthorityNotAllowed');
  expect(message).toContain('one of --authority-hosts, got `login.attacker.test`');
  await untilReady('own', 'True Accepted');
  const body = { spec: { adEndpoint: 'https://login.microsoftonline.us' } };
  await world.client.patch(identitiesType, { namespace: 'default', name: 'foreign' }, { type: 'merge', body });
  await untilReady('foreign', 'True Accepted');
});

test('an invalid availability or grant has a condition and an event; its pods keep the identity', async () => {
  await world.vmNode('node-1');
  await world.bound('good');
  const windows = [{ schedule: '0 0 30 2 *', duration: '1h' }];
  await world.binding('never', 'good', 'good', { availability: { windows }, weight: 1 });
  await world.pod('web', 'good', 'node-1');
  world.controller();
  expect(await untilBindingReady('never', 'False InvalidAvailability')).toContain('0 0 30 2 *');
  await world.untilStates(['default/web-app-good Assigned']);
  const key = { namespace: 'default', name: 'never' };
  const patch = (body: object) => world.client.patch(bindingsType, key, { type: 'merge', body });
  await patch({ spec: { availability: { windows: [{ schedule: '0 0 29 2 *', duration: '1h' }] } } });
  await untilBindingReady('never', 'True Accepted');
  await patch({ metadata: { annotations: { 'azimuth.dev/grant-until': 'tomorrow' } } });
  expect(await untilBindingReady('never', 'False InvalidGrant')).toContain('RFC 3339');
  await patch({ metadata: { annotations: { 'azimuth.dev/grant-until': '2030-01-01T00:00:00Z' } } });
  await untilBindingReady('never', 'True Accepted');
  await world.until(async () => {
    const { items } = await world.client.list(eventsType, { limit: 0 });
    const seen = items.map(({ regarding, reason }) => `${regarding.name} ${reason}`).sort();
    return { ok: ['never InvalidAvailability', 'never InvalidGrant'].every((each) => seen.includes(each)), seen };
  }, 'events');
});

test('an invalid identity is given to nobody and costs nobody else anything', async () => {
  const machine = await world.vmNode('node-1');
  await world.bound('good');
  await world.identity('bad', { resourceID: '/subscriptions/x' });
  await world.binding('bad', 'good', 'bad');
  await world.pod('web', 'good', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-good Assigned']);
  expect((await world.attached(machine)).names).toEqual(['good']);
  expect(world.patches()).toHaveLength(1);
});

test('an identity of an unsupported type is assigned without Azure, so that its pods are refused at once with the reason', async () => {
  await world.vmNode('node-1');
  await world.identity('odd', { type: 7 });
  await world.binding('odd', 'odd');
  await world.pod('web', 'odd', 'node-1');
  world.controller();
  await world.untilStates(['default/web-app-odd Assigned']);
  expect(world.patches()).toEqual([]);
  await untilReady('odd', 'False UnsupportedType');
  await untilBindingReady('odd', 'False IdentityNotUsable');
  await world.deletePod('web');
  await world.untilStates([]);
});
