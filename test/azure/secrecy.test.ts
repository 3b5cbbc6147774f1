import { Writable } from 'node:stream';
import { inspect } from 'node:util';
import { expect, test } from '@jest/globals';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { clientCertificateAuthorizer } from '../../runtime/azure/identity/authorizers/client-certificate.ts';
import { clientSecretAuthorizer } from '../../runtime/azure/identity/authorizers/client-secret.ts';
import { federatedAuthorizer } from '../../runtime/azure/identity/authorizers/federated.ts';
import { authorizerFromSecret } from '../../runtime/azure/identity/credential-from-secret.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { KeyVault } from '../../runtime/azure/key-vault/client.ts';
import type { Authorizer } from '../../runtime/azure/types.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { type FakeAnswer, FakeAzure } from '../fakes/azure-server.ts';
import { fixtureBytes, fixturePassword } from './fixtures/client-certificates.ts';
import { cloudAt, dispatcherFor } from './support.ts';

const secrets = {
  clientSecret: 'SECRET-client-value',
  assertion: 'SECRET.federated.assertion',
  accessToken: 'SECRET-access-token',
  certificatePassword: fixturePassword,
  vaultValue: 'SECRET-vault-value',
  adminPassword: 'SECRET-admin-password',
  listedKey: 'SECRET-listed-key',
};
const identity = { tenantId: 'tenant', clientId: 'client' };

test('nothing that is logged, counted or thrown shows a secret, even if the other side repeats it', async () => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const log = createLogger('test', { level: 'debug', destination });
  const metrics = createMetrics();
  const shown: string[] = [];
  let mode: 'refuse' | 'cut' | 'accept' = 'accept';

  await using server = await FakeAzure.start(({ url, body, headers }): FakeAnswer => {
    if (mode === 'cut') return { destroy: true };
    if (url.includes('/oauth2/')) {
      const echo = [...new URLSearchParams(body).values()].join(' ');
      return mode === 'accept'
        ? { body: { access_token: secrets.accessToken, expires_in: 3600 } }
        : { status: 401, body: { error: 'invalid_client', error_description: `AADSTS7000215: ${echo}` } };
    }
    if (url.startsWith('/secrets/') && !headers.authorization) {
      return { status: 401, headers: { 'www-authenticate': 'Bearer resource="https://vault.test"' } };
    }
    if (mode === 'accept') return { body: { keys: [{ value: secrets.listedKey }], value: secrets.vaultValue } };
    const details = [{ code: 'Detail', message: body }];
    return { status: 400, body: { error: { code: 'Refused', message: `You sent ${body}`, details } } };
  });
  const dispatcher = dispatcherFor(server.ca);
  const cloud = cloudAt(server.url);
  const context = { cloud, dispatcher };
  const client = createArmClient({ cloud, dispatcher, log, metrics });
  const certificate = fixtureBytes('modern');
  const authorizers: Authorizer[] = [
    clientSecretAuthorizer({ ...identity, clientSecret: secrets.clientSecret }, context),
    federatedAuthorizer({ ...identity, assertion: async () => secrets.assertion }, context),
    clientCertificateAuthorizer({ ...identity, certificate, password: secrets.certificatePassword }, context),
    clientCertificateAuthorizer({ ...identity, certificate: 'x', password: secrets.certificatePassword }, context),
    authorizerFromSecret(
      {
        AZURE_SUBSCRIPTION_ID: btoa('s'),
        AZURE_TENANT_ID: btoa('t'),
        AZURE_CLIENT_ID: btoa('c'),
        AZURE_CLIENT_SECRET: btoa(secrets.clientSecret),
      },
      { ...context, imds: createImds({ dispatcher, endpoint: server.url }) },
      { source: 'a/b' },
    ).authorizer,
  ];
  const note = (error: unknown) => {
    shown.push(inspect(error, { depth: 10, showHidden: true }), JSON.stringify(error));
    log.error({ err: error, error }, 'attempt failed');
  };
  const path = '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Sql/servers/x';
  for (const next of ['accept', 'refuse', 'cut'] as const) {
    for (const authorizer of authorizers) {
      shown.push(inspect(authorizer, { depth: 10 }));
      mode = next;
      await authorizer.getToken({ audience: 'a' }).catch(note);
    }
    // Tokens are issued, the requests made with them are refused.
    const authorizer: Authorizer = {
      description: 'fixed',
      getToken: async () => ({ token: secrets.accessToken, expiresOn: Date.now() + 3_600_000 }),
    };
    const body = { properties: { administratorLoginPassword: secrets.adminPassword } };
    await client.send({ method: 'PUT', path, body, authorizer, secrets: [secrets.adminPassword] }).catch(note);
    await client.send({ method: 'POST', path: `${path}/listKeys`, authorizer }).catch(note);
    const vault = new KeyVault({ vault: server.url, cloud, authorizer, dispatcher, verifyChallengeResource: false });
    await vault.setSecret('name', { value: secrets.vaultValue }).catch(note);
    await vault.getSecret('name').catch(note);
    shown.push(inspect(vault, { depth: 10 }), inspect(client, { depth: 3 }));
  }
  await client.close();
  shown.push(await metrics.metrics(), ...lines);
  const everything = shown.join('\n');
  expect(lines.length).toBeGreaterThan(5);
  expect(everything).toMatch(/AADSTS7000215/);
  expect(everything).toMatch(/You sent/);
  for (const [name, secret] of Object.entries(secrets)) {
    expect({ name, found: everything.includes(secret) }).toEqual({ name, found: false });
  }
});
