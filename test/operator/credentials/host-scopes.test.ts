import { expect, test } from '@jest/globals';
import { SecretValue } from '../../../runtime/arm-kinds/secret-value.ts';
import { ArmError } from '../../../runtime/azure/arm/errors.ts';
import { tryParseScopeRules } from '../../../runtime/azure/arm/scopes.ts';
import { clouds } from '../../../runtime/azure/clouds.ts';
import type { SharedArmRequest } from '../../../runtime/azure/types.ts';
import { ManualClock } from '../../../runtime/base/clock.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { HostScopes } from '../../../runtime/operator/credentials/host-scopes.ts';
import { CredentialScopes, ScopeNotAllowed } from '../../../runtime/operator/credentials/scopes.ts';

const group = '/subscriptions/s/resourcegroups/a';
const accountId = (name: string, place = group) => `${place}/providers/Microsoft.Storage/storageAccounts/${name}`;
const blob = (name: string) => `https://${name}.blob.core.windows.net/vhds/a.vhd`;

/** Azure with these resources, and an operator with these rules; the requests are kept. */
function operator(rules: string, resources: string[], multiTenant = true) {
  const requests: string[] = [];
  const clock = new ManualClock(0);
  const answer: { error?: Error; items?: unknown } = {};
  const send = async ({ path }: Pick<SharedArmRequest, 'path'>) => {
    const [place = '', query = ''] = decodeURIComponent(path).split('/resources?$filter=');
    requests.push(place);
    if (answer.error) throw answer.error;
    const [, type, name] = /^resourceType eq '(.*)' and name eq '(.*)'$/.exec(query) ?? [];
    const fits = (id: string) =>
      id.toLowerCase().startsWith(place) && id.endsWith(`${type}/${name}`.split('/').slice(1).join('/'));
    return { body: { value: answer.items ?? resources.filter(fits).map((id) => ({ id })) } };
  };
  const scopes = new CredentialScopes(tryParseScopeRules(rules) ?? [], { multiTenant });
  const hosts = new HostScopes({ scopes, arm: { send } as never, cloud: clouds.AzurePublicCloud, clock });
  const check = (any: unknown, inputs: unknown[] = [], resourceId = `${group}/x`) => {
    const object = { metadata: { namespace: 'team-a', name: 'x' }, spec: { any } } as unknown as KubeObject;
    const reader = { authorizer: {}, correlationId: 'c', signal: new AbortController().signal };
    return hosts.check(object, { resourceId, ownerId: undefined, inputs }, reader as never);
  };
  return { check, requests, clock, answer, resources };
}

test('an account counts where Azure has it in a scope of the namespace, and no other', async () => {
  const { check } = operator(`team-a=${group};team-b=/subscriptions/t`, [
    accountId('mine'),
    accountId('theirs', '/subscriptions/t/resourcegroups/b'),
  ]);
  for (const field of [
    { creationData: { createOption: 'Import', sourceUri: blob('mine') } },
    { storageProfile: { osDisk: { vhd: { uri: blob('mine') } } } },
    { diagnosticsProfile: { bootDiagnostics: { storageUri: blob('mine') } } },
  ]) {
    await expect(check(field)).resolves.toBeUndefined();
    const theirs = JSON.parse(JSON.stringify(field).replaceAll('mine', 'theirs')) as object;
    await expect(check(theirs)).rejects.toThrow(
      /theirs\.blob\.core\.windows\.net leads to no resource .* team-a=\/providers\/Microsoft.Storage\/storageAccounts\/theirs to /,
    );
  }
});

test.each([
  ['a key of a map', { [blob('theirs')]: 1 }],
  ['JSON in a text', JSON.stringify({ uri: blob('theirs') })],
  ['an escaped URL', encodeURIComponent(encodeURIComponent(blob('theirs')))],
  ['an escaped host', 'https://theirs%2eblob.core.windows.net'],
  ['escapes of JSON in the middle of a text', `x = {"uri":"${blob('theirs').replaceAll('.', '\\u002e')}"}`],
  ['entities of XML', `<set-backend base-url="${blob('theirs').replaceAll('.', '&#46;').replaceAll('/', '&sol;')}"/>`],
])('a host counts in %s', async (_title, value) => {
  await expect(operator(`team-a=${group}`, []).check(value)).rejects.toThrow(ScopeNotAllowed);
});

test('a rule that ends in the type and the name admits a host without a request', async () => {
  for (const rule of [accountId('theirs', '/subscriptions/t/resourceGroups/b'), accountId('theirs', '')]) {
    const { check, requests } = operator(`team-a=${rule}`, []);
    await expect(check(blob('theirs'))).resolves.toBeUndefined();
    await expect(check(blob('others'))).rejects.toThrow(ScopeNotAllowed);
    expect(requests).toEqual([]);
  }
});

test('the resource of the object itself counts before Azure has it', async () => {
  const { check } = operator(`team-a=${group}`, []);
  await expect(check(blob('mine'), [], accountId('mine'))).resolves.toBeUndefined();
  await expect(check('https://mine.vault.azure.net', [], accountId('mine'))).rejects.toThrow(ScopeNotAllowed);
});

test('where nothing limits the namespace no host is looked for', async () => {
  for (const { check, requests } of [operator('team-a=/', []), operator('', [], false)]) {
    await expect(check(blob('any'))).resolves.toBeUndefined();
    expect(requests).toEqual([]);
  }
});

test('a host from a Secret counts too, and is not repeated', async () => {
  const { check } = operator(`team-a=${group}`, [accountId('mine')]);
  await expect(check('', [new SecretValue(`${blob('mine')}?sig=s`)])).resolves.toBeUndefined();
  const refused = check('', [new SecretValue({ uri: `${blob('theirs')}?sig=s` })]);
  await expect(refused).rejects.toThrow(/^A host in a Secret that the object names leads to no resource/);
  await expect(refused).rejects.not.toThrow(/theirs/);
});

test('a host of a form that no account has needs a rule for everything, and is not tried again', async () => {
  const { check, requests } = operator(`team-a=${group}`, []);
  await expect(check('https://a.b.blob.core.windows.net')).rejects.toMatchObject({ lasting: true });
  expect(requests).toEqual([]);
});

test('an account may come to be, so that it is looked for again; one that was there is asked for once a minute', async () => {
  const { check, requests, clock, resources } = operator(`team-a=${group};*=/subscriptions/net`, []);
  await expect(check(blob('mine'))).rejects.toMatchObject({ lasting: false });
  expect(requests).toEqual([group, '/subscriptions/net']);
  resources.push(accountId('mine'));
  await check(blob('mine'));
  await check([blob('mine'), blob('mine')]);
  expect(requests).toHaveLength(3);
  resources.length = 0;
  await clock.advance(60_000);
  await expect(check(blob('mine'))).rejects.toThrow(ScopeNotAllowed);
});

test('an answer that is not the resource proves nothing, and a failure is no refusal', async () => {
  const { check, answer } = operator(`team-a=${group}`, []);
  for (const id of [accountId('other'), accountId('mine', '/subscriptions/t'), `${group}/providers/x/y/mine`, 7]) {
    answer.items = [{ id }, 'x'];
    await expect(check(blob('mine'))).rejects.toThrow(ScopeNotAllowed);
  }
  const failure = (status: number) =>
    new ArmError('GET', group, { status, code: 'x', message: '', details: [], retryClass: 'slow' } as never);
  answer.error = failure(403);
  await expect(check(blob('mine'))).rejects.toThrow(ScopeNotAllowed);
  answer.error = failure(503);
  await expect(check(blob('mine'))).rejects.toBe(answer.error);
});
