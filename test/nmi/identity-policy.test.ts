/** Which identities the pods of a namespace may use, decided by the daemon itself. */
import { expect, test } from '@jest/globals';
import { ManualClock } from '../../runtime/base/clock.ts';
import type { SeenRequest } from '../fakes/azure-server.ts';
import { anyIdentity } from './fake-tokens.ts';
import { claimsOf, type Harness, identity, rid, secretsType, simple, startNmi } from './harness.ts';

const ip = '127.0.0.5';
const managed = ['--operation-mode=managed', '--forceNamespaced'];
const who = async (nmi: Harness, query = {}) => {
  const { status, json, text } = await nmi.token(ip, query);
  return status === 200 ? String(claimsOf(json.access_token)['appid']) : `${status} ${text}`;
};

test('in managed mode the metadata endpoint is asked by resource id', async () => {
  await using nmi = await startNmi({ args: managed });
  await simple(nmi);
  expect(await who(nmi)).toBe('client-id');
  const [asked] = nmi.imds.requests.filter(({ url }) => url.includes('/oauth2/token'));
  expect(new URL(`http://x${asked?.url}`).searchParams.get('msi_res_id')).toBe(rid('id'));
});

test.each([
  ['in managed mode', managed],
  ['in standard mode with scopes', [`--identity-scopes=app=${rid('id')}`]],
])('the own resource id with the client id of another identity brings nobody’s token: %s', async (_, args) => {
  await using nmi = await startNmi({ args });
  await simple(nmi, { clientID: 'client-kubelet' });
  const answer = await who(nmi);
  expect(answer).toMatch(/^403 spec\.clientID of the AzureIdentity is not the client id of the identity/);
  expect(answer).not.toContain('client-id');
  expect(nmi.imds.requests.some(({ url }) => url.includes('client_id=client-kubelet'))).toBe(false);
  expect(nmi.log).toContainEqual(expect.objectContaining({ outcome: 'refused', reason: 'ClientIdMismatch' }));
});

test.each([
  ['in managed mode', managed],
  ['in standard mode', []],
])('without spec.clientID a recreated identity is served once the cached token ends: %s', async (_, mode) => {
  const clock = new ManualClock(Date.now());
  let client = 'former';
  const imds = (request: SeenRequest) => {
    expect(new URL(`http://x${request.url}`).searchParams.get('msi_res_id')).toBe(rid('id'));
    return anyIdentity({ ...request, url: request.url.replace(/msi_res_id=[^&]*/, `client_id=${client}`) });
  };
  await using nmi = await startNmi({ args: mode, clock, imds });
  await simple(nmi, { clientID: '' });
  expect(await who(nmi)).toBe('former');
  client = 'recreated';
  expect(await who(nmi)).toBe('former');
  await clock.advance(300_000);
  expect(await who(nmi)).toBe('recreated');
  expect(nmi.imds.requests).toHaveLength(2);
});

test.each([
  ['in managed mode', managed],
  ['in standard mode', []],
])('a namespace uses the identities that --identity-scopes gives it, and no other: %s', async (_, mode) => {
  const scopes = `--identity-scopes=app=${rid('own')};other=${rid('id')}`;
  await using nmi = await startNmi({ args: [...mode, scopes] });
  await simple(nmi);
  expect(await who(nmi)).toMatch(
    /^403 the namespace app may not use the identity of spec\.resourceID; .*--identity-scopes/,
  );
  expect(await who(nmi, { client_id: 'client-id' })).toMatch(/^403 /);
  expect(nmi.imds.requests).toEqual([]);
  await simple(nmi, identity('own').spec);
  expect(await who(nmi)).toBe('client-own');
});

test('under the multi-tenant profile no rule means no identity, and Secrets lie in the own namespace', async () => {
  await using nmi = await startNmi({ args: ['--multi-tenant'] });
  await simple(nmi);
  expect(await who(nmi)).toMatch(/^403 the namespace app may not use/);
  const secret = { metadata: { namespace: 'victim', name: 's' }, data: { clientSecret: 'cHc=' } };
  await nmi.kube.put(secretsType, secret as never);
  await simple(nmi, { type: 1, tenantID: 't', clientPassword: { namespace: 'victim', name: 's' } });
  expect(await who(nmi)).toMatch(/^403 spec\.clientPassword\.namespace must be app/);
  expect(nmi.aad.requests).toEqual([]);
});
