import { expect, test } from '@jest/globals';
import { clouds } from '../../../../runtime/azure/clouds.ts';
import type { Credential } from '../../../../runtime/azure/identity/credential.ts';
import { systemClock } from '../../../../runtime/base/clock.ts';
import type { KubeObject } from '../../../../runtime/kube/client/types.ts';
import type { ChosenCredential } from '../../../../runtime/operator/credentials/credentials.ts';
import { HostScopes } from '../../../../runtime/operator/credentials/host-scopes.ts';
import { CredentialScopes } from '../../../../runtime/operator/credentials/scopes.ts';
import type { ReconcileDeps } from '../../../../runtime/operator/effects/reconcile-deps.ts';
import { valuesOf } from '../../../../runtime/operator/reconcile/plan/azure-values.ts';

const object = { apiVersion: 'azimuth.dev/v1alpha1', kind: 'ArmResource', metadata: { name: 'a', namespace: 'team' } };
const group = '/subscriptions/11111111-1111-1111-1111-111111111111/resourceGroups';

function reader(answer: object, usesOperatorCredential: boolean) {
  const sent: string[] = [];
  const scopes = new CredentialScopes([{ namespace: 'team', scope: `${group}/own`.toLowerCase() }]);
  const none = { send: async () => ({ status: 404, body: {} }) } as never;
  const shared = {
    arm: {
      send: async ({ method, path }: { method: string; path: string }) => {
        sent.push(`${method} ${path}`);
        return { status: 200, body: answer };
      },
    },
    credentialScopes: scopes,
    hostScopes: new HostScopes({ scopes, arm: none, cloud: clouds.AzurePublicCloud, clock: systemClock }),
    vaults: { open: (name: string) => ({ getSecret: async () => ({ value: `of ${name}` }) }) },
  } as unknown as ReconcileDeps;
  const chosen = { credential: { authorizer: {} } as Credential, usesOperatorCredential } as ChosenCredential;
  const run = { correlationId: 'c', signal: new AbortController().signal };
  return { sent, read: valuesOf(shared, object as KubeObject, chosen, run) };
}
const azure = (id: string) => ({ type: 'azure', path: 'p', id, apiVersion: '1', action: 'listKeys' }) as const;

test('the scopes of the namespace bound what the credential of the operator reads, before any request', async () => {
  const theirs = `${group}/theirs/providers/Microsoft.Storage/storageAccounts/a`;
  const { sent, read } = reader({}, true);
  await expect(read(azure(theirs))).rejects.toThrow(/operator's own credential/);
  await expect(read({ type: 'keyVault', path: 'p', id: theirs, secret: 's' })).rejects.toThrow(/own credential/);
  const ourList = { ...azure(theirs.replace('theirs', 'own')), actionBody: { id: theirs } };
  await expect(read(ourList)).rejects.toThrow(/own credential/);
  const url = { ...ourList, actionBody: { uri: 'https://theirs.blob.core.windows.net/c' } };
  await expect(read(url)).rejects.toThrow(/theirs\.blob/);
  await expect(read(azure(`${group}/own/providers/X.Y/z/a?b=/../c`))).rejects.toThrow();
  expect(sent).toEqual([]);
  const ours = theirs.replace('theirs', 'own');
  await expect(read(azure(ours))).resolves.toEqual({});
  expect(sent).toEqual([`POST ${ours}/listKeys`]);
});

test('a vault is read by the id that Azure knows, whatever its name', async () => {
  const id = `${group}/own/providers/Microsoft.KeyVault/vaults/v`;
  const input = { type: 'keyVault', path: 'p', id, secret: 's' } as const;
  const type = 'Microsoft.KeyVault/vaults';
  await expect(reader({ id, name: 'v', type }, true).read(input)).resolves.toBe('of v');
  await expect(reader({}, true).read(input)).rejects.toThrow();
  const other = { ...input, id: id.replace('KeyVault/vaults', 'Storage/storageAccounts') };
  const answer = { id: other.id, name: 'v', type: 'Microsoft.Storage/storageAccounts' };
  await expect(reader(answer, true).read(other)).rejects.toThrow(/is no Key Vault/);
});
