/** A 200 that is no answer of the service, at each reader: an error that can pass, and never a value or an absence. */

import { expect, test } from '@jest/globals';
import { GraphClient } from '../../runtime/azure/graph/graph-client.ts';
import { groupsNamed, readGroup } from '../../runtime/azure/graph/groups.ts';
import { clientSecretAuthorizer } from '../../runtime/azure/identity/authorizers/client-secret.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import { afterwards } from '../fakes/afterwards.ts';
import { FakeAzure } from '../fakes/azure-server.ts';
import { startVault } from './key-vault-server.ts';
import { cloudAt, countingAuthorizer, dispatcherFor } from './support.ts';

/** An address whose every answer is 200 with this body. */
async function serve(body: string, status = 200) {
  const server = await FakeAzure.start(() => ({ status, body }));
  const dispatcher = dispatcherFor(server.ca);
  afterwards(
    () => server[Symbol.asyncDispose](),
    () => dispatcher.close(),
  );
  return { url: server.url, dispatcher };
}
async function graphOf(body: string, status = 200) {
  const { url, dispatcher } = await serve(body, status);
  const cloud = { ...cloudAt(url), graphEndpoint: url };
  const options = { correlationId: '', now: Date.now, mayWrite: () => undefined };
  return new GraphClient({ cloud, dispatcher, authorizer: countingAuthorizer(), ...options });
}

test('a page of a gateway with 404 does not say that a secret or a group is absent', async () => {
  const body = '<html><title>Not found</title></html>';
  const { vault } = await startVault(() => ({ status: 404, body }));
  await expect(vault.tryGetSecret('name')).rejects.toMatchObject({ code: 'AZ_KEYVAULT_UNREACHABLE' });
  await expect(readGroup(await graphOf(body, 404), { id: 'g' })).rejects.toMatchObject({
    code: 'AZ_GRAPH_UNREACHABLE',
  });
});

const readers: Readonly<Record<string, (body: string) => Promise<unknown>>> = {
  'a secret of Key Vault': async (body) => (await startVault(() => ({ body }))).vault.getSecret('name'),
  'a certificate of Key Vault': async (body) => (await startVault(() => ({ body }))).vault.getCertificate('name'),
  'a key of Key Vault': async (body) => (await startVault(() => ({ body }))).vault.getKey('name'),
  'a group of Graph': async (body) => readGroup(await graphOf(body), { id: 'g' }),
  'groups of Graph': async (body) => groupsNamed(await graphOf(body), 'team'),
  'a token of Entra ID': async (body) => {
    const { url, dispatcher } = await serve(body);
    const principal = { tenantId: 't', clientId: 'c', clientSecret: 's' };
    return clientSecretAuthorizer(principal, { cloud: cloudAt(url), dispatcher }).getToken({ audience: 'a' });
  },
  'a token of the metadata endpoint': async (body) => {
    const { url: endpoint, dispatcher } = await serve(body);
    return createImds({ dispatcher, endpoint }).token('a', {}, 'machine');
  },
};
const bodies = {
  nothing: '',
  null: 'null',
  'a text': '"x"',
  'a list': '[1]',
  'an empty object': '{}',
  'a page': '<html><title>Sign in</title></html>',
  'broken gzip': '\u001f\u008b\u0008',
  'JSON of 5,000 levels': `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`,
  '9 MiB': `"${'x'.repeat(9 * 1024 * 1024)}"`,
};

test.each(Object.keys(readers))('%s is none of these', async (reader) => {
  for (const [name, body] of Object.entries(bodies)) {
    const failure = await readers[reader]?.(body).then(
      (value) => ({ value }),
      (error: unknown) => error,
    );
    expect({ name, failure }).toEqual({
      name,
      failure: expect.objectContaining({ code: expect.stringMatching(/^AZ_(AUTH|KEYVAULT|GRAPH)_/), retryable: true }),
    });
  }
});
