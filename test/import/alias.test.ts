import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { kindOf, resourceOf } from '../../runtime/api/kinds.ts';
import { importResources } from '../../runtime/import/importer.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { armRequests, startWorld, untilReady } from '../operator/support.ts';
import { readerOf } from './support.ts';

const type = resourceOf(kindOf('subscription.azure.com', 'Alias'));
const kinds = 'subscription.azure.com/Alias';
const anywhere = { AZURE_OPERATOR_CREDENTIAL_SCOPES: '*=/' };

test('the alias of a subscription, which belongs to the tenant, is imported by its id and taken over without a write', async () => {
  const first = await startWorld({ kinds });
  const second = await startWorld({ azure: first.azure, kinds });
  try {
    const operator = await first.startOperator(anywhere);
    const billingScope = '/providers/Microsoft.Billing/billingAccounts/a/enrollmentAccounts/b';
    const properties = { displayName: 'Shop', workload: 'Production', billingScope };
    await first.apply(type, 'shop', { properties });
    const { id } = (await untilReady(first, type, 'shop'))['status'] as { id: string };
    await operator.stop();
    const imported = await importResources(readerOf(first.azure), {
      ids: [id],
      recursive: true,
      output: 'yaml',
      namespace: 'default',
      labels: {},
      annotations: {},
      workers: 1,
      credential: 'environment',
    });
    const object = parse(imported.text) as KubeObject;
    expect(object).toMatchObject({ kind: 'Alias', metadata: { name: 'shop' }, spec: { properties } });
    const puts = armRequests(second, 'PUT', /aliases/).length;
    await second.client.apply(type, object, { fieldManager: 'test', force: true });
    await second.startOperator(anywhere);
    await untilReady(second, type, 'shop');
    expect(armRequests(second, 'PUT', /aliases/)).toHaveLength(puts);
  } finally {
    await second.close();
    await first.close();
  }
});
