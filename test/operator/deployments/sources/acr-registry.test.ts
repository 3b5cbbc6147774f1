/** Private registries of Azure: which credential reads a template, and what the registry sees of it. */
import { expect, test } from '@jest/globals';
import type { ChosenCredential } from '../../../../runtime/operator/credentials/credentials.ts';
import {
  asked,
  chosenOf,
  clock,
  credentialOf,
  forms,
  jwt,
  layer,
  manifest,
  port,
  requests,
  type Setting,
  server,
  templates,
} from './acr-server.ts';
import { digestOf } from './local-registry.ts';

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
