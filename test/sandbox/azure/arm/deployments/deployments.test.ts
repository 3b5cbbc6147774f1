import { expect, test } from '@jest/globals';
import { azure, client, clock, code, group, provider } from '../world.ts';

const version = '2022-09-01';
const at = (name: string, scope = group) => `${scope}/providers/Microsoft.Resources/deployments/${name}`;
const template = (resources: unknown, more = {}) => ({
  $schema: 'https://schema.management.azure.com/schemas/2019-04-01/deploymentTemplate.json#',
  contentVersion: '1.0.0.0',
  resources,
  ...more,
});
const body = (content: unknown, parameters = {}, more = {}) => ({
  properties: { mode: 'Incremental', template: content, parameters },
  ...more,
});
const account = {
  type: 'Microsoft.Storage/storageAccounts',
  apiVersion: '2023-01-01',
  name: "[parameters('account')]",
  location: '[resourceGroup().location]',
  sku: { name: 'Standard_LRS' },
  kind: 'StorageV2',
};
const vault = {
  type: 'Microsoft.KeyVault/vaults/secrets',
  apiVersion: '2023-07-01',
  name: 'vaultone/key',
  dependsOn: ["[resourceId('Microsoft.Storage/storageAccounts', parameters('account'))]"],
  properties: {
    value:
      "[listKeys(resourceId('Microsoft.Storage/storageAccounts', parameters('account')), '2023-01-01').keys[0].value]",
  },
};
const parameters = { account: { type: 'string', defaultValue: 'accountone' }, password: { type: 'secureString' } };
const outputs = {
  blob: {
    type: 'string',
    value: "[reference(resourceId('Microsoft.Storage/storageAccounts', parameters('account'))).primaryEndpoints.blob]",
  },
};

/** Polls a deployment until it has ended. */
async function ended(id: string) {
  for (let round = 0; round < 20; round += 1) {
    const { body: shown } = await client.arm('GET', id, version);
    if (!/Accepted|Running/.test(shown.properties.provisioningState)) return shown;
    await clock.advance(1000);
  }
  throw new Error(`${id} does not end`);
}

test('a deployment makes its resources in order, and shows parameters, outputs and operations', async () => {
  await client.arm('PUT', provider('Microsoft.KeyVault/vaults/vaultone'), '2023-07-01', {
    location: 'westus2',
    properties: { tenantId: azure.tenantId, sku: { family: 'A', name: 'standard' }, accessPolicies: [] },
  });
  const sent = body(template([vault, account], { parameters, outputs }), { password: { value: 'secret' } });
  const made = await client.arm('PUT', at('one'), version, sent);
  expect([made.status, made.body.properties.provisioningState]).toEqual([201, 'Accepted']);
  expect(made.headers['azure-asyncoperation']).toContain(`${at('one')}/operationStatuses/`);
  expect(await code('PUT', at('one'), version, sent)).toEqual([409, 'DeploymentActive']);
  const shown = await ended(at('one'));
  expect(shown.properties).toMatchObject({
    provisioningState: 'Succeeded',
    parameters: { account: { type: 'String', value: 'accountone' }, password: { type: 'SecureString' } },
    outputs: { blob: { type: 'String', value: 'https://accountone.blob.core.windows.net/' } },
  });
  expect(shown.properties.outputResources).toHaveLength(2);
  expect(JSON.stringify(shown)).not.toContain('secret"');
  const operations = await client.arm('GET', `${at('one')}/operations`, version);
  const targets = operations.body.value.map(
    ({ properties }: { properties: { targetResource: { resourceType: string } } }) => {
      return properties.targetResource.resourceType;
    },
  );
  expect(targets.sort()).toEqual(['Microsoft.KeyVault/vaults/secrets', 'Microsoft.Storage/storageAccounts']);
  const exported = await client.arm('POST', `${at('one')}/exportTemplate`, version);
  expect(exported.body.template.resources).toHaveLength(2);
  const listed = await client.arm('GET', `${group}/providers/Microsoft.Resources/deployments/`, version);
  expect(listed.body.value).toHaveLength(1);
  const status = await client.send('GET', made.headers['azure-asyncoperation'] as string, {
    token: await client.token(),
  });
  expect(status.body).toEqual({ status: 'Succeeded' });
});

test('validate and what-if change nothing', async () => {
  const sent = body(template([account], { parameters: { account: parameters.account } }));
  const validated = await client.arm('POST', `${at('two')}/validate`, version, sent);
  expect(validated.body.properties).toMatchObject({ provisioningState: 'Succeeded', mode: 'Incremental' });
  const changes = async () => {
    const { body: answer } = await client.arm('POST', `${at('two')}/whatIf`, version, sent);
    return answer.properties.changes.map(({ changeType }: { changeType: string }) => changeType);
  };
  expect(await changes()).toEqual(['Create']);
  expect(await code('GET', provider('Microsoft.Storage/storageAccounts/accountone'), '2023-01-01')).toEqual([
    404,
    'ResourceNotFound',
  ]);
  await client.arm('PUT', at('two'), version, sent);
  await ended(at('two'));
  expect(await changes()).toEqual(['NoChange']);
  const changed = body(
    template([{ ...account, sku: { name: 'Standard_GRS' } }], { parameters: { account: parameters.account } }),
  );
  const modified = await client.arm('POST', `${at('two')}/whatIf`, version, changed);
  expect(modified.body.properties.changes[0]).toMatchObject({
    changeType: 'Modify',
    delta: [{ path: 'sku.name', propertyChangeType: 'Modify', before: 'Standard_LRS', after: 'Standard_GRS' }],
  });
  expect(
    await code('POST', `${at('two')}/validate`, version, body(template([{ ...account, name: '[nope()]' }]))),
  ).toEqual([400, 'InvalidTemplate']);
});

test('a resource that Azure refuses fails its deployment; the others are reported', async () => {
  const sent = body(template([{ ...account, name: 'X' }]));
  await client.arm('PUT', at('bad'), version, sent);
  const shown = await ended(at('bad'));
  expect(shown.properties).toMatchObject({
    provisioningState: 'Failed',
    error: { code: 'DeploymentFailed', details: [{ code: 'AccountNameInvalid' }] },
  });
  const operations = await client.arm('GET', `${at('bad')}/operations`, version);
  expect(operations.body.value[0].properties).toMatchObject({
    provisioningState: 'Failed',
    statusMessage: { error: { code: 'AccountNameInvalid' } },
  });
  expect(await code('POST', `${at('bad')}/cancel`, version)).toEqual([409, 'DeploymentCannotBeCancelled']);
  expect(await code('GET', at('none'), version)).toEqual([404, 'DeploymentNotFound']);
});

test('a template may have comments, and names without quotes, as az sends it', async () => {
  const text = `{"properties": {"mode": "Incremental", template: ${JSON.stringify(template([]))} /* as in the file */}}`;
  const url = `${azure.endpoints.arm}${at('loose')}?api-version=${version}`;
  const token = await client.token();
  const answer = await client.send('PUT', url, { text, token });
  expect(answer.status).toBe(201);
});

test('a deployment to a subscription makes a group and deploys into it', async () => {
  const scope = `/subscriptions/${azure.subscriptionId}`;
  const inner = {
    type: 'Microsoft.Resources/deployments',
    apiVersion: '2022-09-01',
    name: 'inner',
    resourceGroup: 'made',
    dependsOn: ["[subscriptionResourceId('Microsoft.Resources/resourceGroups', 'made')]"],
    properties: {
      mode: 'Incremental',
      expressionEvaluationOptions: { scope: 'inner' },
      parameters: { account: { value: "[concat('account', 'two')]" } },
      template: template([account], { parameters: { account: parameters.account }, outputs }),
    },
  };
  const resources = [
    {
      type: 'Microsoft.Resources/resourceGroups',
      apiVersion: '2021-04-01',
      name: 'made',
      location: '[deployment().location]',
    },
    inner,
  ];
  const result = {
    type: 'string',
    value:
      "[reference(extensionResourceId('RG', 'Microsoft.Resources/deployments', 'inner'), '2022-09-01').outputs.blob.value]".replace(
        "'RG'",
        `'${scope}/resourceGroups/made'`,
      ),
  };
  const schema = 'https://schema.management.azure.com/schemas/2018-05-01/subscriptionDeploymentTemplate.json#';
  const sent = body(template(resources, { $schema: schema, outputs: { result } }));
  expect(await code('PUT', at('sub', scope), version, sent)).toEqual([400, 'LocationRequired']);
  await client.arm('PUT', at('sub', scope), version, { ...sent, location: 'westeurope' });
  const shown = await ended(at('sub', scope));
  expect(shown.properties).toMatchObject({
    provisioningState: 'Succeeded',
    outputs: { result: { value: 'https://accounttwo.blob.core.windows.net/' } },
  });
  const groupId = `${scope}/resourceGroups/made`;
  expect((await client.arm('GET', groupId, '2021-04-01')).body.location).toBe('westeurope');
  expect((await client.arm('GET', at('inner', groupId), version)).body.properties.provisioningState).toBe('Succeeded');
});

test('the mode Complete deletes what the template does not have, and a canceled deployment starts nothing more', async () => {
  const keep = body(
    template([
      { ...account, name: 'keepme' },
      { ...account, name: 'dropme' },
    ]),
  );
  await client.arm('PUT', at('first'), version, keep);
  await ended(at('first'));
  const only = body(template([{ ...account, name: 'keepme' }]));
  await client.arm('PUT', at('second'), version, { properties: { ...only.properties, mode: 'Complete' } });
  await ended(at('second'));
  const listed = await client.arm('GET', `${group}/resources`, '2021-04-01');
  expect(listed.body.value.map(({ name }: { name: string }) => name)).toEqual(['keepme']);
  await client.arm('PUT', at('third'), version, body(template([{ ...account, name: 'another' }])));
  expect((await client.arm('POST', `${at('third')}/cancel`, version)).status).toBe(204);
  expect((await client.arm('GET', at('third'), version)).body.properties.provisioningState).toBe('Canceled');
});
