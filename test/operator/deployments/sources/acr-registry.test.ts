/** Private registries: a server with the endpoints of Azure Container Registry, as its AAD-OAuth protocol describes them. */
import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { clouds } from '../../../../runtime/azure/clouds.ts';
import type { Credential } from '../../../../runtime/azure/identity/credential.ts';
import type { TokenParameters } from '../../../../runtime/azure/types.ts';
import { ManualClock } from '../../../../runtime/base/clock.ts';
import { AzimuthError } from '../../../../runtime/base/errors.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { ChosenCredential } from '../../../../runtime/operator/credentials/credentials.ts';
import { AcrTokens } from '../../../../runtime/operator/deployments/sources/acr-tokens.ts';
import { OciTemplates } from '../../../../runtime/operator/deployments/sources/oci-templates.ts';
import { RegistryCredentials } from '../../../../runtime/operator/deployments/sources/registry-credentials.ts';
import {
  type RegistryRule,
  tryParseRegistryRule,
} from '../../../../runtime/operator/deployments/sources/registry-rules.ts';
import {
  AllowedTargets,
  type DocumentRequest,
} from '../../../../runtime/operator/deployments/targets/allowed-targets.ts';

const signal = new AbortController().signal;
const clock = new ManualClock();
const digestOf = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`;
const layer = '{"a":1}';
const manifest = JSON.stringify({ layers: [{ digest: digestOf(layer), size: layer.length }] });
const jwt = (claims: object) => `marked.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

/** Requests as `METHOD host path authorization`; forms as sent. */
const requests: string[] = [];
const forms: Record<string, string>[] = [];
const asked: (TokenParameters & { readonly namespace: string })[] = [];
const server = {
  /** Of the anonymous token. */
  anonymous: { status: 401, text: '{}' },
  exchange: { status: 200, text: '' },
  token: { status: 200, text: '' },
  realm: '',
  location: '',
  accessToken: '',
};
let http: Server;
const port = () => String((http.address() as AddressInfo).port);

async function answerOf(request: IncomingMessage) {
  const { url = '', method = '', headers } = request;
  const [path] = url.split('?');
  requests.push(`${method} ${headers.host?.split(':')[0]} ${path} ${headers.authorization ?? '-'}`);
  if (method === 'POST') forms.push(Object.fromEntries(new URLSearchParams(await textOf(request))));
  if (path === '/oauth2/exchange') return { ...server.exchange, ...(server.location && { status: 307 }) };
  if (path === '/oauth2/token') return method === 'POST' ? server.token : server.anonymous;
  if (headers.authorization === `Bearer ${server.accessToken}`)
    return { status: 200, text: url.includes('/manifests/') ? manifest : layer };
  return { status: 401, text: '{}', challenge: `Bearer realm="${server.realm}",service="evil.example.org"` };
}

beforeAll(async () => {
  http = createServer(async (request, response) => {
    const answer = await answerOf(request);
    const { status, text } = answer;
    const challenge = 'challenge' in answer && { 'www-authenticate': answer.challenge };
    response.writeHead(status, { ...challenge, ...(server.location && { location: server.location }) }).end(text);
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(() => {
  http.close();
});
beforeEach(() => {
  for (const list of [requests, forms, asked]) list.length = 0;
  const accessToken = jwt({ exp: clock.now() / 1000 + 4500 });
  Object.assign(server, {
    anonymous: { status: 401, text: '{}' },
    exchange: { status: 200, text: JSON.stringify({ refresh_token: 'marked-refresh' }) },
    token: { status: 200, text: JSON.stringify({ access_token: accessToken }) },
    realm: `https://shop.azurecr.io:${port()}/oauth2/token`,
    location: '',
    accessToken,
  });
});

/** Every name is on loopback, and HTTPS is HTTP. */
class LocalTargets extends AllowedTargets {
  override document(address: string, request: DocumentRequest, ends: AbortSignal) {
    expect(address).toMatch(/^https:/);
    return super.document(address.replace('https://', 'http://'), request, ends);
  }
  protected override isClosed(): boolean {
    return false;
  }
}
const bothSchemes = <T extends { readonly scheme: string }>(rule: T): T[] => [rule, { ...rule, scheme: 'http:' }];

function credentialOf(namespace: string, cloud: keyof typeof clouds = 'AzurePublicCloud'): Credential {
  const getToken = async (request: TokenParameters) => {
    asked.push({ ...request, namespace });
    return { token: `marked-entra-${namespace}`, expiresOn: clock.now() + 3_600_000 };
  };
  const authorizer = { description: 'client secret of client c', getToken };
  const ids = { subscriptionId: 's', tenantId: `tenant-${namespace}`, clientId: 'c', additionalTenants: [] };
  return { authorizer, cloud: clouds[cloud], ...ids };
}
const chosenOf = (namespace: string, change: Partial<ChosenCredential> = {}): ChosenCredential => ({
  credential: credentialOf(namespace),
  source: `${namespace}/aso-credential`,
  edges: [],
  waits: [],
  usesOperatorCredential: false,
  credentialOf: 'namespace',
  ...change,
});

interface Setting {
  /** By namespace. */
  readonly chosen: Readonly<Record<string, ChosenCredential>>;
  readonly registry?: string;
  readonly denied?: boolean;
  readonly bounds?: boolean;
}

function templates({ chosen, registry = 'shop.azurecr.io', denied = false, bounds = true }: Setting) {
  const place = `${registry}:${port()}`;
  const rules = bothSchemes(tryParseRegistryRule(place) as RegistryRule);
  const setting = '--template-registries';
  const targets = new LocalTargets({ rules, apiServers: [], setting, addressesOf: async () => ['127.0.0.1'] });
  const credentials = new RegistryCredentials({
    credentials: { credentialFor: async ({ metadata }) => chosen[metadata.namespace ?? ''] as ChosenCredential },
    scopes: { bounds: () => bounds },
    access: {
      check: async ({ spec }, { verb, type }) => {
        expect({ spec, verb, type }).toMatchObject({ spec: { serviceAccountName: 'builder' }, verb: 'create' });
        if (denied) throw new AzimuthError('AZ_ACCESS_DENIED', 'it may not create armresources');
      },
    },
    tokens: new AcrTokens(targets, clock),
  });
  const all = new OciTemplates(targets, rules, credentials);
  return (namespace: string, repository = 'team/templates') => {
    const spec = { serviceAccountName: 'builder' };
    const deployment: KubeObject = { apiVersion: 'v1', kind: 'D', metadata: { namespace, name: 'shop' }, spec };
    return all.read(`${place}/${repository}@${digestOf(manifest)}`, signal, deployment);
  };
}

test('the credential of the namespace gets a token for the repository, after an anonymous one was refused', async () => {
  const read = templates({ chosen: { team: chosenOf('team') } });
  expect(await read('team')).toEqual({ templates: layer });
  const path = '/v2/team/templates';
  expect(requests).toEqual([
    `GET shop.azurecr.io ${path}/manifests/${digestOf(manifest)} -`,
    'GET shop.azurecr.io /oauth2/token -',
    'POST shop.azurecr.io /oauth2/exchange -',
    'POST shop.azurecr.io /oauth2/token -',
    `GET shop.azurecr.io ${path}/manifests/${digestOf(manifest)} Bearer ${server.accessToken}`,
    `GET shop.azurecr.io ${path}/blobs/${digestOf(layer)} Bearer ${server.accessToken}`,
  ]);
  const service = `shop.azurecr.io:${port()}`;
  expect(forms).toEqual([
    { grant_type: 'access_token', service, tenant: 'tenant-team', access_token: 'marked-entra-team' },
    {
      grant_type: 'refresh_token',
      service,
      scope: 'repository:team/templates:pull',
      refresh_token: 'marked-refresh',
    },
  ]);
  expect(asked).toEqual([expect.objectContaining({ audience: 'https://containerregistry.azure.net' })]);
});

test('a public repository is read without the credential', async () => {
  server.anonymous = { status: 200, text: JSON.stringify({ access_token: server.accessToken }) };
  expect(await templates({ chosen: {} })('team')).toEqual({ templates: layer });
  expect([asked, forms]).toEqual([[], []]);
});

test('an anonymous token that may not pull is followed by one of the credential', async () => {
  server.anonymous = { status: 200, text: JSON.stringify({ access_token: 'marked-other' }) };
  expect(await templates({ chosen: { team: chosenOf('team') } })('team')).toEqual({ templates: layer });
});

test('one exchange serves a repository for five minutes; another namespace and repository have their own', async () => {
  const read = templates({ chosen: { team: chosenOf('team'), other: chosenOf('other') } });
  await read('team');
  await read('team');
  await read('other');
  expect(asked.map(({ namespace }) => namespace)).toEqual(['team', 'other']);
  expect(forms.map((form) => form['access_token'] ?? form['scope'])).toEqual([
    'marked-entra-team',
    'repository:team/templates:pull',
    'marked-entra-other',
    'repository:team/templates:pull',
  ]);
  await read('team', 'team/more');
  expect(asked).toHaveLength(3);
  await clock.advance(299_000);
  await read('team');
  expect(asked).toHaveLength(3);
  await clock.advance(2000);
  await read('team');
  expect(asked).toHaveLength(4);
});

test.each([
  [
    'a changed Secret',
    (chosen: Record<string, ChosenCredential>) => Object.assign(chosen, { team: chosenOf('team') }),
    {},
  ],
  ['the end of the token', () => undefined, { exp: 60 }],
  ['a token without an end', () => undefined, { exp: undefined }],
])('%s gets another token', async (_what, change, claims: { readonly exp?: number | undefined }) => {
  const exp = 'exp' in claims ? claims.exp && clock.now() / 1000 + claims.exp : clock.now() / 1000 + 4500;
  server.accessToken = jwt({ exp });
  server.token = { status: 200, text: JSON.stringify({ access_token: server.accessToken }) };
  const chosen = { team: chosenOf('team') };
  const read = templates({ chosen });
  await read('team');
  change(chosen);
  await read('team');
  expect(asked).toHaveLength(2);
});

const failureOf = async (reading: Promise<unknown>): Promise<string> => {
  const failure = await reading.catch((error: unknown) => error as Error);
  expect(JSON.stringify([String(failure), failure])).not.toContain('marked');
  return String(failure);
};

test('a token that the registry refuses is named with the way out, and not used again', async () => {
  server.accessToken = 'none';
  const read = templates({ chosen: { team: chosenOf('team') } });
  expect(await failureOf(read('team'))).toMatch(
    /refuses team\/templates to the credential of the namespace team: give its identity the role AcrPull/,
  );
  await failureOf(read('team'));
  expect(asked).toHaveLength(2);
});

test.each<[string, Partial<Setting> & { readonly change?: Partial<ChosenCredential> }, RegExp]>([
  [
    'the operator alone has a credential',
    { change: { source: 'global', usesOperatorCredential: true }, bounds: false },
    /give the namespace team one in the Secret aso-credential, whose identity has the role AcrPull/,
  ],
  ['the Secret is gone', { change: { credential: undefined } }, /give the namespace team one in the Secret/],
  ["the Secret has the operator's identity", { change: { usesOperatorCredential: true } }, /put a client secret or/],
  [
    'the credential is for another cloud',
    { change: { credential: credentialOf('team', 'AzureChinaCloud') } },
    /is for AzureChinaCloud, not for AzurePublicCloud/,
  ],
  ['the service account has no right', { denied: true }, /it may not create armresources/],
  ['the registry is none of Azure', { registry: 'shop.azurecr.io.example.org' }, /must be readable without/],
  ['the host is none of a registry', { registry: 'shop.data.azurecr.io' }, /must be readable without a credential/],
])('%s: no token is asked for', async (_what, { change = {}, ...setting }, message) => {
  const registry = setting.registry ?? 'shop.azurecr.io';
  server.realm = `https://${registry}:${port()}/oauth2/token`;
  const read = templates({ ...setting, chosen: { team: chosenOf('team', change) } });
  expect(await failureOf(read('team'))).toMatch(message);
  expect([asked, forms]).toEqual([[], []]);
});

test("a Secret with the operator's identity serves a namespace without bounds", async () => {
  const chosen = { team: chosenOf('team', { usesOperatorCredential: true }) };
  expect(await templates({ chosen, bounds: false })('team')).toEqual({ templates: layer });
});

test.each([
  ['https://evil.example.org/oauth2/token', /asks for a token of evil.example.org/],
  ['http://shop.azurecr.io:PORT/oauth2/token', /no token of an HTTPS address/],
  ['https://a:b@shop.azurecr.io:PORT/oauth2/token', /no token of an HTTPS address/],
])('the challenge with the realm %s gets no token of the namespace', async (realm, message) => {
  server.realm = realm.replace('PORT', port());
  expect(await failureOf(templates({ chosen: { team: chosenOf('team') } })('team'))).toMatch(message);
  expect([asked, forms]).toEqual([[], []]);
});

test('a redirect of the exchange is not followed', async () => {
  server.location = 'http://evil.example.org/oauth2/exchange';
  expect(await failureOf(templates({ chosen: { team: chosenOf('team') } })('team'))).toMatch(
    /oauth2\/exchange answers the credential with 307/,
  );
  expect(requests.join()).not.toContain('evil');
});

test.each([
  ['exchange', { status: 401, text: '{"errors":[{"message":"marked"}]}' }, /exchange answers the credential with 401/],
  ['exchange', { status: 200, text: `{"refresh_token":"${'x'.repeat(70_000)}"}` }, /longer than/],
  ['exchange', { status: 200, text: '{"access_token":"marked"}' }, /exchange answers without a token/],
  ['token', { status: 403, text: 'marked' }, /token answers the credential with 403: .* needs the role AcrPull/],
  ['token', { status: 200, text: '{"access_token":"marked\\r\\nx: y"}' }, /token answers without a token/],
  ['token', { status: 200, text: 'marked' }, /token answers without a token/],
] as const)('%s with %j ends the read', async (endpoint, answer, message) => {
  server[endpoint] = answer;
  expect(await failureOf(templates({ chosen: { team: chosenOf('team') } })('team'))).toMatch(message);
});
