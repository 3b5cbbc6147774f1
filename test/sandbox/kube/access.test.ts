import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ManualClock } from '../../../runtime/base/clock.ts';
import { type Api, configMaps, startApi } from './api.ts';

const clock = new ManualClock(Date.parse('2026-01-01T00:00:00Z'));
const accounts = '/api/v1/namespaces/default/serviceaccounts';
const rbac = '/apis/rbac.authorization.k8s.io/v1';
const roles = `${rbac}/namespaces/default/roles`;
const roleBindings = `${rbac}/namespaces/default/rolebindings`;
let api: Api;

beforeAll(async () => {
  api = await startApi({ clock });
  for (const name of ['reader', 'nobody', 'granter', 'doomed']) await api.post(accounts, { metadata: { name } });
  await grant('reader', [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] },
    { apiGroups: [''], resources: ['secrets'], resourceNames: ['one'], verbs: ['get', 'list'] },
    { apiGroups: ['apps'], resources: ['deployments/status'], verbs: ['*'] },
  ]);
  await grant('granter', [
    { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: ['create', 'update'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'] },
  ]);
});
afterAll(() => api.close());

async function grant(name: string, rules: object[]): Promise<void> {
  await api.post(roles, { metadata: { name }, rules });
  await api.post(roleBindings, {
    metadata: { name },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: 'default' }],
  });
}
const as = async (name: string) => ({ token: await api.kube.tokenFor({ namespace: 'default', name }) });
const tokenOf = async (name: string, spec: object) => (await api.post(`${accounts}/${name}/token`, { spec })).body;

describe('who somebody is', () => {
  test('without a credential: anonymous, who may see version and health only', async () => {
    const nobody = { token: '' };
    expect((await api.get('/version', nobody)).code).toBe(200);
    expect((await api.get('/healthz', nobody)).text).toBe('ok');
    expect((await api.get('/api/v1/pods', nobody)).body).toMatchObject({
      code: 403,
      message:
        'pods is forbidden: User "system:anonymous" cannot list resource "pods" in API group "" at the cluster scope',
      details: { kind: 'pods' },
    });
    expect((await api.get('/foo', nobody)).body['message']).toBe(
      'forbidden: User "system:anonymous" cannot get path "/foo"',
    );
  });

  test('a token nobody issued is Unauthorized', async () => {
    for (const token of ['foo', 'a.b.c', `${(await as('reader')).token}x`]) {
      expect((await api.get(configMaps, { token })).body).toMatchObject({ code: 401, reason: 'Unauthorized' });
    }
  });

  test('a requested token works until it expires', async () => {
    const { spec, status } = await tokenOf('reader', { expirationSeconds: 600 });
    expect(spec).toMatchObject({ expirationSeconds: 600, audiences: [api.kube.issuerUrl] });
    expect(status.expirationTimestamp).toBe('2026-01-01T00:10:00Z');
    expect((await api.get(configMaps, { token: status.token })).code).toBe(200);
    await clock.advance(600_000);
    expect((await api.get(configMaps, { token: status.token })).code).toBe(401);
  });

  test('a token for another audience is good for its review, not for the API', async () => {
    const { status } = await tokenOf('reader', { audiences: ['api://AzureADTokenExchange'] });
    expect((await api.get(configMaps, { token: status.token })).code).toBe(401);
    const review = (audiences?: string[]) =>
      api.post('/apis/authentication.k8s.io/v1/tokenreviews', { spec: { token: status.token, audiences } });
    expect((await review(['api://AzureADTokenExchange'])).body['status']).toMatchObject({
      authenticated: true,
      user: {
        username: 'system:serviceaccount:default:reader',
        groups: expect.arrayContaining(['system:serviceaccounts', 'system:authenticated']),
      },
    });
    expect((await review()).body['status']).toMatchObject({ error: 'invalid bearer token' });
  });

  test('a token dies with its service account and with the Pod it is bound to', async () => {
    const doomed = await as('doomed');
    expect((await api.get('/api', doomed)).code).toBe(200);
    await api.delete(`${accounts}/doomed`);
    await api.post(accounts, { metadata: { name: 'doomed' } });
    expect((await api.get('/api', doomed)).code).toBe(401);
    const pods = '/api/v1/namespaces/default/pods';
    const spec = { serviceAccountName: 'reader', containers: [{ name: 'c', image: 'i' }] };
    await api.post(pods, { metadata: { name: 'bound' }, spec });
    const boundObjectRef = { kind: 'Pod', apiVersion: 'v1', name: 'bound' };
    const { status } = await tokenOf('reader', { boundObjectRef });
    expect((await api.get(configMaps, { token: status.token })).code).toBe(200);
    await api.delete(`${pods}/bound`);
    expect((await api.get(configMaps, { token: status.token })).code).toBe(401);
  });

  test.each([
    [{ expirationSeconds: 60 }, 422, 'may not specify a duration less than 10 minutes'],
    [{ boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name: 'none' } }, 404, 'pods "none" not found'],
    [{ boundObjectRef: { kind: 'Foo', apiVersion: 'v1', name: 'x' } }, 400, 'cannot bind token to object of type /v1'],
  ])('TokenRequest %j is refused', async (spec, code, message) => {
    const body = await tokenOf('reader', spec);
    expect(body).toMatchObject({ code });
    expect(body['message'].replace('type v1,', 'type /v1,')).toContain(message);
  });

  test('anybody may read the keys that verify the tokens', async () => {
    const { body } = await api.get('/.well-known/openid-configuration', { token: '' });
    expect(body).toMatchObject({ issuer: api.kube.issuerUrl, jwks_uri: `${api.kube.issuerUrl}/openid/v1/jwks` });
    const { text } = await api.get('/openid/v1/jwks', { token: '' });
    const [key] = JSON.parse(text).keys;
    const [header] = (await as('reader')).token.split('.');
    expect(JSON.parse(Buffer.from(header as string, 'base64url').toString())).toEqual({ alg: 'RS256', kid: key.kid });
  });
});

describe('what somebody may', () => {
  test.each([
    ['GET', configMaps, 200],
    ['GET', '/api/v1/configmaps', 403],
    ['GET', '/api/v1/namespaces/kube-system/configmaps', 403],
    ['DELETE', `${configMaps}/kube-root-ca.crt`, 403],
    ['GET', `${configMaps}?watch=true`, 403],
    ['GET', '/api/v1/namespaces/default/secrets/one', 404],
    ['GET', '/api/v1/namespaces/default/secrets/two', 403],
    ['GET', '/api/v1/namespaces/default/secrets', 403],
    ['GET', '/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Done', 200],
    ['GET', '/api/v1/namespaces/default/secrets?fieldSelector=metadata.name%3Dtwo', 403],
    ['GET', '/api/v1/namespaces/default/secrets?fieldSelector=metadata.name!%3Done', 403],
    ['GET', '/apis/apps/v1/namespaces/default/deployments/x/status', 404],
    ['GET', '/apis/apps/v1/namespaces/default/deployments/x', 403],
    ['GET', '/apis', 200],
  ])('reader: %s %s is %i', async (method, path, code) => {
    expect((await api.send(method, path, undefined, await as('reader'))).code).toBe(code);
  });

  test('a change of a role takes effect at once', async () => {
    expect((await api.get('/api/v1/namespaces/default/pods', await as('nobody'))).code).toBe(403);
    await grant('nobody', [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }]);
    expect((await api.get('/api/v1/namespaces/default/pods', await as('nobody'))).code).toBe(200);
    await api.delete(`${roleBindings}/nobody`);
    expect((await api.get('/api/v1/namespaces/default/pods', await as('nobody'))).code).toBe(403);
  });

  test('nobody grants what they do not hold', async () => {
    const make = async (name: string, verbs: string[]) =>
      await api.post(
        roles,
        { metadata: { name }, rules: [{ apiGroups: [''], resources: ['pods'], verbs }] },
        await as('granter'),
      );
    expect((await make('fine', ['get'])).code).toBe(201);
    const refused = await make('more', ['get', 'delete']);
    expect(refused.code).toBe(403);
    expect(refused.body['message']).toContain('is attempting to grant RBAC permissions not currently held');
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' };
    const subjects = [{ kind: 'ServiceAccount', name: 'granter', namespace: 'default' }];
    const bound = await api.post(roleBindings, { metadata: { name: 'up' }, roleRef, subjects }, await as('granter'));
    expect(bound.code).toBe(403);
  });

  test('access reviews answer for oneself and for others', async () => {
    const group = '/apis/authorization.k8s.io/v1';
    const attributes = { verb: 'get', resource: 'configmaps', namespace: 'default' };
    const ask = async (kind: string, spec: object, options = {}) =>
      (await api.post(`${group}/${kind}`, { spec }, options)).body['status'];
    expect(await ask('selfsubjectaccessreviews', { resourceAttributes: attributes }, await as('reader'))).toEqual({
      allowed: true,
    });
    const user = 'system:serviceaccount:default:reader';
    const other = { ...attributes, verb: 'delete' };
    expect(await ask('subjectaccessreviews', { user, resourceAttributes: other })).toEqual({ allowed: false });
    expect(await ask('subjectaccessreviews', { user, resourceAttributes: attributes })).toEqual({ allowed: true });
    const rules = await ask('selfsubjectrulesreviews', { namespace: 'default' }, await as('reader'));
    expect(rules.resourceRules).toContainEqual({ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] });
  });

  test('impersonation needs its own right', async () => {
    const headers = { 'impersonate-user': 'system:serviceaccount:default:reader' };
    expect((await api.get(configMaps, { headers })).code).toBe(200);
    expect((await api.get('/api/v1/nodes', { headers })).code).toBe(403);
    expect((await api.get(configMaps, { headers, ...(await as('nobody')) })).body['message']).toContain(
      'cannot impersonate resource "serviceaccounts"',
    );
    const masters = { 'impersonate-user': 'ann', 'impersonate-group': 'system:masters' };
    expect((await api.get('/api/v1/nodes', { headers: masters })).code).toBe(200);
  });
});
