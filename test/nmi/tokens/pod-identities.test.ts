import { expect, test } from '@jest/globals';
import { eventually } from '../../fakes/eventually.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  claimsOf,
  type Harness,
  identitiesType,
  identity,
  pod,
  podsType,
  secretsType,
  simple,
  startNmi,
} from '../harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];

const ip = '127.0.0.5';

/** Asks until the answer comes without a request to IMDS or a Secret; returns whose token it is. */
async function warm(nmi: Harness, from = ip, query = {}): Promise<string> {
  await nmi.token(from, query);
  const { json } = await nmi.token(from, query);
  return String(claimsOf(json.access_token)['appid']);
}

test('identities of two types that name one Secret each read their own part of it', async () => {
  await using nmi = await startNmi({ args: impatient });
  const secret = { namespace: 'app', name: 's' };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  await nmi.kube.put(secretsType, { metadata: secret, data: { clientSecret: base64('word') } } as never);
  const spec = { type: 1, tenantID: 't', clientPassword: secret };
  await simple(nmi, spec);
  await nmi.kube.put(identitiesType, identity('cert', { ...spec, type: 2 }));
  await nmi.kube.put(bindingsType, binding('c', { azureIdentity: 'cert', selector: 'cert' }));
  const other = pod({ name: 'q', ip: '127.0.0.6', label: 'cert' });
  await nmi.kube.put(assignedType, assigned(other, identity('cert', { ...spec, type: 2 })));
  await nmi.kube.put(podsType, other);
  await eventually('the first has its token', async () => (await nmi.token(ip)).status === 200);
  const refused = await nmi.token('127.0.0.6');
  expect(refused.status).toBe(503);
  await eventually('the reason is on the binding', async () =>
    nmi.log.some(({ detail }) => String(detail).includes('Expected the Secret app/s to have a PKCS#12 file')),
  );
  await nmi.kube.put(secretsType, { metadata: secret, data: {} } as never);
});

test('an identity of the machine serves as it was attached, until the assignment says otherwise', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(identitiesType, identity('id', { clientID: 'client-new' }));
  expect(await warm(nmi)).toBe('client-id');
  await nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID: 'client-new' })));
  expect(await warm(nmi)).toBe('client-new');
});

test('an assignment stands for the identity that it names, not for one of that name in another namespace', async () => {
  await using nmi = await startNmi({ args: impatient });
  await nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID: 'other' }, 'elsewhere')));
  await nmi.kube.put(identitiesType, identity());
  await nmi.kube.put(bindingsType, binding());
  // Last: no answer is 400 before the identity is known.
  await nmi.kube.put(podsType, pod());
  await eventually('everything is read', async () => (await nmi.token(ip)).status === 400);
  // Once more, at hand.
  expect((await nmi.token(ip)).status).toBe(400);
  await nmi.kube.put(assignedType, assigned(pod(), identity()));
  await eventually('it is assigned', async () => (await nmi.token(ip)).status === 200);
});

test('an identity that is not assigned does not hide one of its name in another namespace that is', async () => {
  await using nmi = await startNmi({ args: impatient });
  const good = identity('id', { clientID: 'good' }, 'elsewhere');
  await nmi.kube.put(assignedType, assigned(pod(), good));
  await nmi.kube.put(identitiesType, good);
  await nmi.kube.put(bindingsType, binding('b', {}, 'elsewhere'));
  // The controller leaves it out, as its resource id is malformed; its binding would come first.
  await nmi.kube.put(identitiesType, identity('id', { resourceID: 'malformed' }));
  await nmi.kube.put(bindingsType, binding());
  await nmi.kube.put(podsType, pod());
  await eventually('it is served', async () => (await nmi.token(ip)).status === 200);
  expect(await warm(nmi)).toBe('good');
});

test('an object id is answered for itself, after the pod has asked without an id too', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  await nmi.kube.put(identitiesType, identity('id2'));
  await nmi.kube.put(bindingsType, binding('b2', { azureIdentity: 'id2' }));
  await nmi.kube.put(assignedType, assigned(pod(), identity('id2')));
  expect(await warm(nmi)).toBe('client-id');
  expect(await warm(nmi, ip, { object_id: 'oid-client-id2' })).toBe('client-id2');
  expect(await warm(nmi, ip, { object_id: 'oid-client-id' })).toBe('client-id');
  expect((await nmi.token(ip, { object_id: 'oid-of-nobody' })).status).toBe(400);
  expect(await warm(nmi)).toBe('client-id');
});

test('a binding of higher rank that opens takes over, though nothing changes', async () => {
  await using nmi = await startNmi({ args: impatient });
  await simple(nmi);
  const notBefore = new Date(Date.now() + 3000).toISOString();
  await nmi.kube.put(bindingsType, binding('a', { weight: 5, availability: { notBefore } }));
  expect(await warm(nmi)).toBe('client-id');
  const last = () => nmi.log.findLast(({ outcome }) => outcome === 'issued')?.['binding'];
  expect(last()).toBe('app/b');
  await eventually('it is given by the first binding', async () => {
    await nmi.token(ip);
    return last() === 'app/a';
  });
});
