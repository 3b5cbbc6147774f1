import { expect, test } from '@jest/globals';
import { type ArmKindDefinition, kindOf } from '../../../runtime/api/kinds.ts';
import { armResourceModel } from '../../../runtime/arm-kinds/arm-resource.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import type { ArmModel } from '../../../runtime/arm-kinds/model.ts';
import { ResourceRequests } from '../../../runtime/operator/effects/arm-requests.ts';

const account = '/subscriptions/s/resourceGroups/g/providers/Microsoft.Storage/storageAccounts/a';

/** The names under which actions of an object are counted. */
async function countedOf(model: ArmModel, actions: readonly string[]) {
  const counted = new Set<string>();
  const context = {
    metrics: { request: (_: unknown, name: string) => void counted.add(name) },
    arm: { send: async () => ({ status: 200, body: {} }) },
  };
  const object = { apiVersion: 'x/v1', kind: 'X', metadata: { namespace: 'team', name: 'x' }, spec: { type: 'a/b@1' } };
  const input = { model, object, credential: {}, correlationId: 'c', signal: new AbortController().signal };
  const requests = new ResourceRequests(context as never, input as never, false);
  for (const action of actions) await requests.send('POST', `${account}/${action}`, { apiVersion: '1' });
  return [...counted];
}

test('actions of an ArmResource are one series of the metric, whatever names a tenant gives them', async () => {
  const invented = Array.from({ length: 100 }, (_, index) => `action${index}`);
  expect(await countedOf(armResourceModel, [...invented, 'listKeys'])).toEqual(['POST']);
});

test('actions of other kinds are counted by their names', async () => {
  expect(
    await countedOf(catalogueModel(kindOf('storage.azure.com', 'StorageAccount') as ArmKindDefinition), ['listKeys']),
  ).toEqual(['listKeys']);
});
