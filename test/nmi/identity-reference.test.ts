/** In standard mode the ids of a reference come from the assignment, which only the controller may write. */
import { expect, test } from '@jest/globals';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  identitiesType,
  identity,
  pod,
  podsType,
  startNmi,
} from './harness.ts';

const identityRef = { name: 'shop' };
const none = { clientID: undefined, resourceID: undefined };

test('the daemon exchanges the token of the pod for the client id that the controller found', async () => {
  await using nmi = await startNmi();
  const spec = { ...none, type: 3, identityRef };
  await nmi.kube.put(identitiesType, identity('id', spec));
  await nmi.kube.put(bindingsType, binding());
  const resolved = identity('id', { ...spec, clientID: 'client-shop', tenantID: 'tenant-shop' });
  await nmi.kube.put(assignedType, assigned(pod(), resolved));
  await nmi.kube.put(podsType, pod());
  const { status } = await nmi.token('127.0.0.5');
  expect(status).toBe(200);
  const [asked] = nmi.aad.requests.filter(({ method }) => method === 'POST');
  expect(asked?.url).toContain('/tenant-shop/');
  expect(asked?.body).toContain('client_id=client-shop');
});

test('an assignment of another reference gives no token', async () => {
  await using nmi = await startNmi({ args: ['--find-identity-retry-interval=1', '--retry-attempts-for-created=1'] });
  await nmi.kube.put(identitiesType, identity('id', { ...none, type: 3, identityRef }));
  await nmi.kube.put(bindingsType, binding());
  const other = { type: 3, identityRef: { name: 'other' }, clientID: 'client-other', tenantID: 't' };
  await nmi.kube.put(assignedType, assigned(pod(), identity('id', other)));
  await nmi.kube.put(podsType, pod());
  expect((await nmi.token('127.0.0.5')).status).toBe(400);
  expect(nmi.aad.requests).toEqual([]);
});
