/** Texts with what a copy brings along: the identity controller and the node daemon read them alike. */
import { expect, test } from '@jest/globals';
import { clouds } from '../../../runtime/azure/clouds.ts';
import { identitySelection } from '../../../runtime/identity/objects.ts';
import { credentialProblem } from '../../../runtime/identity/verification/validity.ts';
import { type CredentialSources, defineCredential } from '../../../runtime/nmi/tokens/credential-definition.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  identitiesType,
  identity,
  pod,
  podsType,
  rid,
  secretsType,
  simple,
  startNmi,
} from '../harness.ts';

const ip = '127.0.0.5';
const base64 = (text: string) => Buffer.from(text).toString('base64');

test('blanks and line feeds around ids, names and the client secret change nothing about a token', async () => {
  await using nmi = await startNmi();
  const spec = {
    type: 1,
    clientID: 'client-1\n',
    tenantID: ' tenant-1',
    auxiliaryTenantIDs: ['tenant-2\r\n'],
    clientPassword: { namespace: 'vaults ', name: '\u200bs' },
  };
  await nmi.kube.put(secretsType, {
    metadata: { namespace: 'vaults', name: 's' },
    data: { clientSecret: base64('pw\n') },
  } as never);
  await simple(nmi, spec);
  await nmi.kube.put(bindingsType, binding('b', { azureIdentity: 'id ', selector: 'sel\n' }));
  const { status } = await nmi.token(ip, { client_id: ' CLIENT-1\n' });
  expect(status).toBe(200);
  const forms = nmi.aad.requests.map(({ url, body }) => [url.split('/')[1], new URLSearchParams(body)] as const);
  expect(forms.map(([tenant]) => tenant)).toEqual(['tenant-1', 'tenant-2']);
  for (const [, form] of forms) expect([form.get('client_id'), form.get('client_secret')]).toEqual(['client-1', 'pw']);
});

test.each([
  ['in standard mode', []],
  ['in managed mode', ['--operation-mode=managed', '--forceNamespaced']],
])('an identity of the machine with a pasted client id is served: %s', async (_, args) => {
  await using nmi = await startNmi({ args });
  const pasted = identity('id', { clientID: 'client-id\n', resourceID: ` ${rid('id')}` });
  await nmi.kube.put(identitiesType, pasted);
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(assignedType, assigned(pod(), pasted));
  await nmi.kube.put(podsType, pod());
  expect((await nmi.token(ip, { client_id: 'client-id' })).status).toBe(200);
});

const complete = { type: 1, clientID: 'c', tenantID: 't', clientPassword: { namespace: 'app', name: 's' } };
const sources = { entra: { cloud: clouds.AzurePublicCloud } } as unknown as CredentialSources;

test.each([
  ['complete', complete, undefined],
  ['pasted', { ...complete, clientID: '\tc\n', tenantID: 't ' }, undefined],
  ['a client id of blanks', { ...complete, clientID: ' \n' }, /^MissingField .*spec\.clientID/],
  ['a client id with a blank inside', { ...complete, clientID: 'c d' }, /^InvalidField .*spec\.clientID.*got `c d`/],
  ['a tenant with a slash', { ...complete, tenantID: 't/v2.0' }, /^InvalidField .*spec\.tenantID.*got `t\/v2\.0`/],
  ['a tenant in braces', { ...complete, auxiliaryTenantIDs: ['{t}'] }, /^InvalidField .*spec\.auxiliaryTenantIDs/],
  ['four auxiliary tenants', { ...complete, auxiliaryTenantIDs: ['1', '2', '3', '4'] }, /^InvalidField .*has 4/],
  ['no tenant', { type: 3, clientID: 'c' }, /^MissingField .*spec\.tenantID/],
])('the condition of the controller and the refusal of the daemon have one reason: %s', (_, spec, expected) => {
  const object = { apiVersion: 'aadpodidentity.k8s.io/v1', kind: 'AzureIdentity', ...identity('id', spec) };
  const normalized = identitySelection.project?.({ ...object, spec })?.spec ?? {};
  const problem = credentialProblem(normalized);
  let refusal: string | undefined;
  try {
    defineCredential(normalized, 'app', { apiVersion: 'v1', kind: 'Pod', ...pod() } as never, sources);
  } catch (error) {
    refusal = (error as Error).message;
  }
  expect(refusal).toBe(problem?.message);
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(`${problem?.reason} ${problem?.message}`).toMatch(expected);
});
