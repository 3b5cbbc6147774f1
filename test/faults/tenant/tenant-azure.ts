import { makeClusterNode, NODE_GROUP } from '../../../runtime/cli/demo/pods/cluster-node.ts';
import { fillVault } from '../../../runtime/cli/demo/vault-objects.ts';
import type { DemoWorld } from '../../../runtime/cli/demo/world.ts';
import type { TestClient } from '../../sandbox/azure/client.ts';
import type { RemoteAzure } from '../../sandbox/sandbox-process.ts';
import { good, hostile, put } from './tenant-setup.ts';

/** An identity in Azure, as an AzureIdentity names it. */
export interface AzureIdentityIds {
  readonly id: string;
  readonly clientId: string;
  readonly principalId: string;
}

/** `second` and `closed` are of the hostile tenant too. */
export type TenantIdentities = Readonly<
  Record<typeof good | typeof hostile | 'second' | 'closed' | 'kubelet', AzureIdentityIds>
>;

/** What the tenants have in Azure beside what they create. */
export interface TenantAzure {
  readonly identities: TenantIdentities;
  /** ARM id of the scale set of the node. */
  readonly scaleSet: string;
}

/** ARM id of a tenant's vault, which has the name `azimuth-<tenant>`. */
export const vaultIdOf = (subscriptionId: string, tenant: string) =>
  `/subscriptions/${subscriptionId}/resourceGroups/${tenant}/providers/Microsoft.KeyVault/vaults/azimuth-${tenant}`;

/** Creates the scale set of the node with kubelet's identity, and for each tenant a resource group, identities and a vault. */
export async function fillAzure(demo: DemoWorld, azure: RemoteAzure, portal: TestClient): Promise<TenantAzure> {
  const subscription = `/subscriptions/${azure.subscriptionId}`;
  const scaleSet = await makeClusterNode(demo);
  for (const group of [good, hostile]) await put(portal, `${subscription}/resourceGroups/${group}`, '2021-04-01', {});
  const identityOf = async (group: string, name: string): Promise<AzureIdentityIds> => {
    const id = `${subscription}/resourceGroups/${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
    const { properties } = await put(portal, id, '2023-01-31', {});
    return { id, clientId: properties.clientId, principalId: properties.principalId };
  };
  const identities = {
    good: await identityOf(good, 'app'),
    hostile: await identityOf(hostile, 'app'),
    second: await identityOf(hostile, 'second'),
    closed: await identityOf(hostile, 'closed'),
    kubelet: await identityOf(NODE_GROUP, 'kubelet'),
  };
  const kubelet = { type: 'UserAssigned', userAssignedIdentities: { [identities.kubelet.id]: {} } };
  await put(portal, scaleSet, '2022-03-01', { identity: kubelet });
  for (const name of [good, hostile]) {
    const vaultId = vaultIdOf(azure.subscriptionId, name);
    const properties = {
      tenantId: azure.tenantId,
      enableRbacAuthorization: true,
      sku: { family: 'A', name: 'standard' },
    };
    await put(portal, vaultId, '2023-07-01', { properties });
    await azure.assignRole(identities[name].principalId, 'Key Vault Administrator', vaultId);
    await fillVault(demo, `azimuth-${name}`, vaultId);
  }
  await storeChain(azure, portal);
  return { identities, scaleSet };
}

/** Stores 25 KB of certificates in the hostile tenant's vault: what it has read as PEM, many times. */
async function storeChain(azure: RemoteAzure, portal: TestClient): Promise<void> {
  const chain = azure.caPem.repeat(Math.floor(25_000 / azure.caPem.length));
  const token = await portal.token('https://vault.azure.net/.default');
  const secret = `https://azimuth-${hostile}.${azure.endpoints.vaultSuffix}/secrets/chain?api-version=7.4`;
  const stored = await portal.send('PUT', secret, { token, body: { value: chain } });
  if (stored.status > 299) throw new Error(`PUT ${secret}: ${stored.status} ${stored.text}`);
}
