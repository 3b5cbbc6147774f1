/** Registries that ask for a token: a server as the distribution specification describes it. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { OciTemplates } from '../../../../runtime/operator/deployments/sources/oci-templates.ts';
import {
  type RegistryRule,
  tryParseRegistryRule,
} from '../../../../runtime/operator/deployments/sources/registry-rules.ts';
import { AllowedTargets } from '../../../../runtime/operator/deployments/targets/allowed-targets.ts';
import { type Received, startWebServer, type WebServer } from '../../../fakes/web-server.ts';
import { bothSchemes, digestOf, LocalTargets } from './local-registry.ts';

const signal = new AbortController().signal;
const layer = '{"a":1}';
const layers = [
  { digest: digestOf(layer), size: layer.length, annotations: { 'org.opencontainers.image.title': 'web.json' } },
];
const manifest = JSON.stringify({ schemaVersion: 2, layers });

/** Requests as `host path authorization`. */
const requests: string[] = [];
/** What the registry and the host of its tokens do. */
const server = { challenge: '', token: '', answer: '', file: '', asks: '/' };
let http: WebServer;
const port = () => String(http.port);

function answerOf({ url, headers: { host = '', authorization } }: Received) {
  const [name = ''] = host.split(':');
  requests.push(`${name} ${url} ${authorization ?? '-'}`);
  if (url.startsWith('/token')) return { status: 200, text: server.answer };
  if (name === 'files.example.org') return { status: 200, text: layer };
  if (url.includes(server.asks) && authorization !== `Bearer ${server.token}`)
    return { status: 401, text: '{"errors":[]}', headers: { 'www-authenticate': server.challenge } };
  if (url.includes('/manifests/')) return { status: 200, text: manifest };
  return server.file ? { status: 307, text: '', headers: { location: server.file } } : { status: 200, text: layer };
}

beforeAll(async () => {
  http = await startWebServer((request, response) => {
    const { status, text, headers = {} } = answerOf(request);
    response.writeHead(status, headers).end(text);
  });
});
afterAll(() => http.close());
beforeEach(() => {
  requests.length = 0;
  Object.assign(server, {
    challenge: challengeOf(`https://registry.example.org:${port()}/token`),
    token: 'marked-token',
    answer: JSON.stringify({ token: 'marked-token', expires_in: 300 }),
    file: '',
    asks: '/',
  });
});

const challengeOf = (realm: string) =>
  `Bearer realm="${realm}",service="registry.example.org",scope="repository:other/images:pull,push"`;

function read(others = ''): Promise<Readonly<Record<string, string>>> {
  const registry = `registry.example.org:${port()}`;
  const rule = tryParseRegistryRule(others ? `${registry}=${others}` : registry) as RegistryRule;
  const rules = bothSchemes({ ...rule, others: rule.others.flatMap(bothSchemes) });
  const setting = '--template-registries';
  const targets = new LocalTargets({ rules, apiServers: [], setting, addressesOf: async () => ['127.0.0.1'] });
  return new OciTemplates(targets, rules).read(`${registry}/team/templates@${digestOf(manifest)}`, signal);
}

test('a token for the repository alone is asked for once, and goes to the registry', async () => {
  expect(await read()).toEqual({ 'web.json': layer });
  const query = 'service=registry.example.org&scope=repository%3Ateam%2Ftemplates%3Apull';
  expect(requests).toEqual([
    `registry.example.org /v2/team/templates/manifests/${digestOf(manifest)} -`,
    `registry.example.org /token?${query} -`,
    `registry.example.org /v2/team/templates/manifests/${digestOf(manifest)} Bearer marked-token`,
    `registry.example.org /v2/team/templates/blobs/${digestOf(layer)} Bearer marked-token`,
  ]);
});

test('a registry may ask for the token at a file that is shorter than its refusal', async () => {
  server.asks = '/blobs/';
  expect(await read()).toEqual({ 'web.json': layer });
  expect(requests.map((each) => each.split(' ').at(-1))).toEqual(['-', '-', '-', 'marked-token']);
});

test('the host of tokens and that of files are those that the setting names', async () => {
  server.challenge = challengeOf(`https://auth.example.org:${port()}/token?a=b`);
  server.file = `http://files.example.org:${port()}/x`;
  server.answer = JSON.stringify({ access_token: 'marked-token' });
  await expect(read()).rejects.toThrow(
    /asks for a token of auth.example.org:\d+: name it .* as registry.example.org:\d+=auth.example.org:\d+/,
  );
  await expect(read(`auth.example.org:${port()}`)).rejects.toThrow(/redirects to another host, http:\/\/files/);
  requests.length = 0;
  expect(await read(`auth.example.org:${port()}+files.example.org:${port()}`)).toEqual({ 'web.json': layer });
  expect(requests.filter((each) => !each.startsWith('registry.'))).toEqual([
    expect.stringMatching(/^auth.example.org \/token\?a=b&service=registry.example.org&scope=\S+ -$/),
    'files.example.org /x -',
  ]);
});

test.each([
  'Bearer realm="http://registry.example.org:PORT/token"',
  'Bearer realm="https://user:x@registry.example.org:PORT/token"',
  'Bearer realm="/token"',
  'Bearer service="x"',
  'Basic realm="https://registry.example.org:PORT/token"',
])('%s is no challenge for a token', async (challenge) => {
  server.challenge = challenge.replace('PORT', port());
  await expect(read()).rejects.toThrow(/asks for a credential that is no token of an HTTPS address/);
  expect(requests.join()).not.toContain('/token');
});

test.each([
  'https://169.254.169.254/metadata',
  'https://registry.example.org/token',
  'https://registry.example.org.evil.example:PORT/token',
])('the realm %s is refused', async (realm) => {
  server.challenge = challengeOf(realm.replace('PORT', port()));
  await expect(read('auth.example.org')).rejects.toThrow(/asks for a token of /);
  expect(requests).toHaveLength(1);
});

test.each(['{}', 'x', '[]', '{"token":7}', '{"token":"a\\r\\nx-y: z"}', `{"token":"${'x'.repeat(32_769)}"}`])(
  'the answer %.40s holds no token',
  async (answer) => {
    server.answer = answer;
    await expect(read()).rejects.toThrow(/\/token answers without a token$/);
  },
);

test('an answer without an end, and a token that the registry refuses, end the read', async () => {
  server.answer = `{"token":"${'x'.repeat(70_000)}"}`;
  await expect(read()).rejects.toThrow(/longer than/);
  server.answer = JSON.stringify({ token: 'marked-other' });
  const failure = await read().catch((error: unknown) => error as Error);
  expect(String(failure)).toMatch(/manifests\/sha256:\w+ is answered with 401: the server refuses its own token/);
  expect(String(failure)).not.toContain('marked');
});

test('a realm that is loopback, link-local or the API server is not asked', async () => {
  const rule = tryParseRegistryRule('registry.example.org=auth.example.org') as RegistryRule;
  const addressesOf = async (host: string) => [host === 'api.example.org' ? '10.0.0.1' : '127.0.0.1', '10.0.0.1'];
  const targets = new AllowedTargets({ rules: [rule], apiServers: ['api.example.org'], addressesOf });
  const request = { accept: 'application/json', maxBytes: 10, redirects: rule.others };
  const asked = targets.document('https://auth.example.org/token', request, signal);
  await expect(asked).rejects.toThrow(/auth.example.org has no address that the operator may ask/);
});

test.each([
  ['ghcr.io', []],
  ['registry-1.docker.io=auth.docker.io+*.docker.com', ['auth.docker.io', '*.docker.com']],
  ['*.azurecr.io=*.blob.core.windows.net', ['*.blob.core.windows.net']],
] as const)('the setting %s names other hosts', (text, hosts) => {
  expect(tryParseRegistryRule(text)?.others.map(({ host }) => host)).toEqual(hosts);
});

test.each(['a=', '=b', 'a=b=c', 'a=b+', 'a=http://b', 'a=b/c', 'a/b', 'a=*', ''])(
  'the setting %s is refused',
  (text) => {
    expect(tryParseRegistryRule(text)).toBeUndefined();
  },
);
