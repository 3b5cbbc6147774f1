/** The manifests of the guides about machines with secrets, applied as they are written there. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseAllDocuments } from 'yaml';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { apiVersionOf, type KubeObject } from '../../../runtime/kube/client/types.ts';
import { namespaces } from '../../conformance/resources.ts';
import { conditionOf, machineKindPattern } from '../machines/machine-world.ts';
import { types, until } from '../support.ts';
import { SecretWorld } from './secret-world.ts';

let azm: SecretWorld;
beforeAll(async () => {
  azm = await SecretWorld.start({ approve: false, kinds: machineKindPattern });
});
afterAll(() => azm?.close());

const typeOf = ({ apiVersion = '', kind = '' }: KubeObject) =>
  apiVersion === 'v1' ? namespaces : resourceOf(kindOf(apiVersion.split('/')[0] ?? '', kind));

async function apply(object: KubeObject): Promise<void> {
  const type = typeOf(object);
  // The world serves the newest version of each kind.
  const served = { ...object, apiVersion: apiVersionOf(type) };
  await azm.world.client.apply(type, served, { fieldManager: 'guide', force: true });
}

/** The manifests of a guide, without parts of one, with our subscription and tenant in place of those without a meaning. */
function manifests(guide: string): KubeObject[] {
  const { subscriptionId, tenantId } = azm.world.azure;
  const text = readFileSync(`docs/guides/${guide}.md`, 'utf8')
    .replaceAll('subscription: 00000000-0000-0000-0000-000000000000', `subscription: ${subscriptionId}`)
    .replaceAll('tenantId: 00000000-0000-0000-0000-000000000000', `tenantId: ${tenantId}`);
  const blocks = [...text.matchAll(/^( *)```yaml\n([\s\S]*?)```/gm)];
  const plain = blocks.map(([, indent = '', block = '']) => block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''));
  const objects = plain.flatMap((block) => parseAllDocuments(block).map((each) => each.toJS() as KubeObject));
  return objects.filter(({ apiVersion }) => apiVersion !== undefined);
}

const allowed = (vault: string): void => {
  const { azure } = azm.world;
  const scope = `/subscriptions/${azure.subscriptionId}/resourceGroups/shop/providers/Microsoft.KeyVault/vaults/${vault}`;
  for (const role of ['Key Vault Secrets Officer', 'Key Vault Certificates Officer'])
    azure.assignRole(azure.defaultApp.objectId, role, scope);
};

const ready = (object: KubeObject, type = 'Ready') =>
  until(`${object.kind} ${object.metadata.name} is ${type}`, async () => {
    const { namespace, name } = object.metadata;
    const found = await azm.world.client.tryGet(typeOf(object), { ...(namespace && { namespace }), name });
    return conditionOf(found, type)?.status === 'True';
  });

test('the manifests of all three guides work as written, one after the other', async () => {
  const found = ['managed-secrets', 'rolling-secrets', 'machines-that-poll'].flatMap(manifests);
  for (const object of found) await apply(object);
  for (const { kind, metadata } of found) if (kind === types.vault.kind) allowed(metadata.name);
  const waiting = found.filter(({ kind }) => kind !== 'FeatureApproval' && kind !== 'Namespace');
  await Promise.all(waiting.map((object) => ready(object)));
  const set = found.find(({ kind }) => kind === 'VirtualMachineScaleSet') as KubeObject;
  await ready(set, 'SecretsDelivered');
  expect(found.map(({ kind, metadata }) => `${kind} ${metadata.name}`)).toEqual([
    'FeatureRegistration managed-secrets-prod',
    'FeatureApproval managed-secrets-prod',
    'Namespace shop',
    'ResourceGroup shop',
    'Vault shop-westeurope',
    'Vault shop-northeurope',
    'ManagedSecret ops',
    'ManagedSecret web',
    'VirtualMachineScaleSet web',
    'ManagedSecret session-key',
  ]);
});
