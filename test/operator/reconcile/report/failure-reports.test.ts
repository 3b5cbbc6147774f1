/** What the operator reports of a failure where the condition alone does not tell: log lines, events, metrics. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { KubeStatusError } from '../../../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ObjectKey, ResourceType } from '../../../../runtime/kube/client/types.ts';
import {
  condition,
  events,
  type RunningOperator,
  secrets,
  startWorld,
  types,
  until,
  untilReady,
  type World,
} from '../../support.ts';

let world: World;
let operator: RunningOperator;

/** An API server that has no room for the status of objects named `large`. */
function fullFor(client: KubeClient): KubeClient {
  return new Proxy(client, {
    get: (target, name) => {
      const member = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      if (name !== 'patch') return member.bind(target);
      return async (...args: [ResourceType, ObjectKey, object, { readonly subresource?: string }?]) => {
        const [type, key, , options] = args;
        if (key.name !== 'large' || options?.subresource !== 'status') return member.apply(target, args);
        const message = 'Request entity too large: limit is 3145728';
        throw new KubeStatusError({ verb: 'patch', resource: type.plural }, 413, {
          reason: 'RequestEntityTooLarge',
          message,
        });
      };
    },
  });
}

beforeAll(async () => {
  world = await startWorld();
  operator = await world.startOperator({}, { wrap: fullFor });
  await world.apply(types.group, 'rg', { location: 'westeurope' });
  await untilReady(world, types.group, 'rg');
});
afterAll(() => world?.close());
afterEach(() => world.azure.faults.clear());

const account = { location: 'westeurope', kind: 'StorageV2', sku: { name: 'Standard_LRS' }, owner: { name: 'rg' } };

/** Lines of the run of this object that say how it ended. */
const runs = (name: string) =>
  world.log
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter((line) => line['msg'] === 'reconciled' && line['name'] === name);

test('an object that has no room for a status gets an event with the text of its Ready condition, and a metric counts it', async () => {
  await world.apply(types.group, 'large', { location: 'westeurope' });
  const event = await until('the event', async () =>
    (await world.client.list(events, { namespace: 'default' })).items.find(
      (each) => (each['regarding'] as { name?: string })?.name === 'large' && each['reason'] === 'StatusTooLarge',
    ),
  );
  expect(event).toMatchObject({
    type: 'Warning',
    note: expect.stringMatching(/make it smaller\. Ready would be \w+:/),
  });
  expect(condition(await world.get(types.group, 'large'))).toBeUndefined();
  const text = await operator.metrics.metrics();
  expect(text).toMatch(
    /^azimuth_operator_status_too_large_total\{group="resources\.azure\.com",kind="ResourceGroup"\} [1-9]/m,
  );
  // Its neighbours are worked on as ever.
  await world.apply(types.group, 'small', { location: 'westeurope' });
  await untilReady(world, types.group, 'small');
});

test.each([
  [400, 'LocationRequired'],
  [409, 'StorageAccountAlreadyTaken'],
])('HTTP %d is a warning line with the reason and the message', async (status, code) => {
  const name = `refused${status}`;
  world.azure.faults.add({
    method: 'PUT',
    path: `storageAccounts/${name}`,
    status,
    body: { error: { code, message: 'this is why' } },
  });
  await world.apply(types.account, name, account);
  await untilReady(world, types.account, name, code);
  expect(runs(name)).toContainEqual(
    expect.objectContaining({ level: 'warn', reason: code, error: expect.stringContaining('this is why') }),
  );
});

async function credential(name: string, data: Record<string, string>): Promise<object> {
  const { AZURE_SUBSCRIPTION_ID = '', AZURE_TENANT_ID = '', AZURE_CLIENT_ID = '' } = world.azure.env();
  const stringData = { AZURE_SUBSCRIPTION_ID, AZURE_TENANT_ID, AZURE_CLIENT_ID, ...data };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace: 'default', name }, stringData };
  await world.client.create(secrets, secret as KubeObject);
  return { annotations: { 'serviceoperator.azure.com/credential-from': name } };
}

test('a credential that Entra refuses is a warning line with the reason, without the secret', async () => {
  const metadata = await credential('wrong', { AZURE_CLIENT_SECRET: 'not-the-secret' });
  await world.apply(types.account, 'unsigned', account, metadata);
  await untilReady(world, types.account, 'unsigned', 'AuthenticationFailed');
  const lines = runs('unsigned');
  expect(lines).toContainEqual(
    expect.objectContaining({
      level: 'warn',
      reason: 'AuthenticationFailed',
      error: expect.stringContaining('AADSTS7000215'),
    }),
  );
  expect(JSON.stringify(world.log)).not.toContain('not-the-secret');
});

test('a certificate that cannot be used has the reason AuthenticationFailed, and the condition says what it lacks', async () => {
  const metadata = await credential('broken', { AZURE_CLIENT_CERTIFICATE: 'bm90IGEgY2VydGlmaWNhdGU=' });
  await world.apply(types.account, 'uncertified', account, metadata);
  const refused = await untilReady(world, types.account, 'uncertified', 'AuthenticationFailed');
  expect(condition(refused)).toMatchObject({ status: 'False', message: expect.stringMatching(/default\/broken.*PEM/) });
});

test.each([
  ['the name of the object where the spec has no azureName', 'plain', {}, 'plain'],
  ['the azureName of the spec', 'renamed', { azureName: 'other' }, 'other'],
])('expressions see as self.spec.azureName %s', async (_, name, own, expected) => {
  const operatorSpec = { configMapExpressions: [{ name: `of-${name}`, key: 'name', value: 'self.spec.azureName' }] };
  await world.apply(types.group, name, { location: 'westeurope', operatorSpec, ...own });
  await untilReady(world, types.group, name);
  const map = await world.client.get(
    { ...secrets, plural: 'configmaps', kind: 'ConfigMap' },
    { namespace: 'default', name: `of-${name}` },
  );
  expect(map['data']).toEqual({ name: expected });
});
