import { expect, test } from '@jest/globals';
import { nmiConfig } from '../../../runtime/nmi/config/config.ts';
import { AllowedPaths, parseAllowedPath } from '../../../runtime/nmi/http/allowed-paths.ts';
import { eventually } from '../../fakes/eventually.ts';
import { exceptionsType, pod, podsType, startNmi } from '../harness.ts';

const allowed = new AllowedPaths();
function check(target: string, method = 'GET', headers = {}, paths = allowed): number {
  const [path = '', query] = target.split('?');
  try {
    paths.check(method, path, new URLSearchParams(query), headers);
    return 200;
  } catch (error) {
    return (error as { status: number }).status;
  }
}

test.each([
  '/metadata/instance?api-version=2021-02-01&format=json',
  '/Metadata/Instance/compute/osProfile?api-version=2021-02-01',
  '/metadata/loadbalancer?api-version=2020-10-01',
  '/metadata/scheduledevents?api-version=2020-07-01',
  '/metadata/versions',
])('a documented request without an effect goes on to the metadata endpoint: %s', (target) => {
  expect(check(target)).toBe(200);
  expect([check(target, 'POST'), check(target, 'PUT'), check(target, 'HEAD'), check(target, 'DELETE')]).toEqual(
    Array.from({ length: 4 }, () => 403),
  );
});

test.each([
  '/metadata/attested/document?api-version=2020-09-01&nonce=1234567890',
  '/msi/token?resource=r',
  '/machine?comp=goalstate',
  '/machine/?comp=goalstate',
  '/metadata/instance?comp=goalstate',
  '/metadata/instance?api-version=2021-02-01&resource=r',
  '/metadata/identity/info?api-version=2018-02-01',
  '/metadata/identity/oauth2',
  '/metadata/instancex',
  '/metadata',
  '/',
  '/metadata/instance/%2e%2e/identity',
  '/metadata/%69nstance',
  '/metadata/instance;x=y',
  '/metadata/instance/~root',
  '/vmSettings',
])('anything else is refused: %s', (target) => {
  expect(check(target)).toBe(403);
});

test('a documented request must not have a body', () => {
  expect(check('/metadata/instance', 'GET', { 'content-length': '5' })).toBe(400);
  expect(check('/metadata/instance', 'GET', { 'transfer-encoding': 'chunked' })).toBe(400);
  expect(check('/metadata/instance', 'GET', { 'content-length': '0' })).toBe(200);
});

test('operators extend the list by method and path, and a malformed entry is named', () => {
  const further = ['POST /metadata/scheduledevents', 'GET /metadata/identity/info', 'get /custom/*'];
  const paths = new AllowedPaths(further.map((text) => parseAllowedPath(text, 'x')));
  expect(check('/metadata/scheduledevents?api-version=1', 'POST', { 'content-length': '5' }, paths)).toBe(200);
  expect(check('/metadata/identity/info?any=x', 'GET', {}, paths)).toBe(200);
  expect(check('/custom/a/b', 'GET', {}, paths)).toBe(200);
  expect(check('/customx', 'GET', {}, paths)).toBe(403);
  for (const entry of ['/metadata/x', 'GET metadata', 'GET /a/../b', 'GET /a?b', 'GET /%2e'])
    expect(() => nmiConfig(['--node=n', `--metadata-paths=GET /a,${entry}`], {})).toThrow(/metadata-paths/);
});

test('a request that is not allowed never reaches the metadata endpoint', async () => {
  await using nmi = await startNmi({ args: ['--metadata-paths=GET /extra'] });
  const ask = async (path: string, method = 'GET', body?: string) => {
    const headers = { metadata: 'true' };
    return (await nmi.ask(path, { method, headers, from: '127.0.0.5', ...(body && { body }) })).status;
  };
  expect(await ask('/metadata/instance?api-version=2021-02-01')).toBe(200);
  expect(await ask('/extra')).toBe(200);
  const before = nmi.imds.requests.length;
  expect([await ask('/msi/token?resource=r'), await ask('/machine?comp=goalstate')]).toEqual([403, 403]);
  expect(await ask('/metadata/scheduledevents?api-version=2020-07-01', 'POST', '{"StartRequests":[]}')).toBe(403);
  expect(nmi.imds.requests.length).toBe(before);
});

/** Two pods of one node, of which the second is excepted; asks by the address for an attested document. */
async function documentsFor(args: readonly string[]) {
  const nmi = await startNmi({ args, imds: () => ({ body: { signature: 'of the machine' } }) });
  const spec = { podLabels: { app: 'agent' } };
  await nmi.kube.put(exceptionsType, { metadata: { namespace: 'app', name: 'e' }, spec } as never);
  await nmi.kube.put(podsType, pod({ name: 'tenant', ip: '127.0.0.5' }));
  await nmi.kube.put(podsType, pod({ name: 'agent', ip: '127.0.0.6', labels: { app: 'agent' } }));
  const ask = (from: string, path = '/metadata/attested/document?api-version=2021-02-01&nonce=1', sent = {}) =>
    nmi.ask(path, { from, headers: { metadata: 'true', ...sent } });
  await eventually('both are known', async () => (await ask('127.0.0.6')).status === 200);
  return { nmi, ask };
}

test('an attested document goes to excepted pods alone, whatever the spelling of its path', async () => {
  const { nmi, ask } = await documentsFor([]);
  await using _ = nmi;
  const before = nmi.imds.requests.length;
  for (const path of [
    '/metadata/attested/document',
    '/Metadata/Attested/Document/',
    '/metadata/attested/document/',
    '/metadata/attested%2Fdocument',
    '/metadata/attested/document;x',
    'http://169.254.169.254/metadata/attested/document?nonce=1',
  ])
    expect([path, (await ask('127.0.0.5', path)).status]).toEqual([path, 403]);
  expect((await ask('127.0.0.9')).status).toBe(500);
  expect((await ask('127.0.0.5')).text).toMatch(/--metadata-paths/);
  expect(nmi.imds.requests.length).toBe(before);
  expect((await ask('127.0.0.6', '/metadata/attested/document?comp=goalstate')).status).toBe(403);
  expect((await ask('127.0.0.6', undefined, { 'content-length': '0' })).json.signature).toBe('of the machine');
});

test('--metadata-paths gives attested documents to every pod', async () => {
  const { nmi, ask } = await documentsFor(['--metadata-paths=GET /metadata/attested/document']);
  await using _ = nmi;
  expect((await ask('127.0.0.5')).json.signature).toBe('of the machine');
});
