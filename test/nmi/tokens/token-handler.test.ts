import { expect, test } from '@jest/globals';
import {
  anyIdentity,
  assigned,
  assignedType,
  binding,
  bindingsType,
  type Harness,
  identitiesType,
  identity,
  pod,
  podsType,
  simple,
  startNmi,
} from '../harness.ts';

const impatient = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];

const ip = '127.0.0.5';

test.each([
  ['the binding goes', (nmi: Harness) => nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' })],
  ['the pod loses its label', (nmi: Harness) => nmi.kube.put(podsType, pod({ label: '' }))],
  [
    'another identity takes the name of its own',
    async (nmi: Harness) => {
      await nmi.kube.delete(identitiesType, { namespace: 'app', name: 'id' });
      await nmi.kube.put(identitiesType, identity());
    },
  ],
  [
    'another binding takes the name of its own',
    async (nmi: Harness) => {
      await nmi.kube.delete(bindingsType, { namespace: 'app', name: 'b' });
      await nmi.kube.put(bindingsType, binding());
    },
  ],
  [
    'its assignment was given another client id',
    (nmi: Harness) => nmi.kube.put(assignedType, assigned(pod(), identity('id', { clientID: 'client-new' }))),
  ],
  [
    'another pod takes its name',
    async (nmi: Harness) => {
      await nmi.kube.delete(podsType, { namespace: 'app', name: 'p' });
      await nmi.kube.put(podsType, pod());
    },
  ],
])('a token that comes after %s is given to nobody', async (_, change) => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  await using nmi = await startNmi({
    args: impatient,
    imds: async (request) => {
      asked.resolve();
      await answer.promise;
      return anyIdentity(request);
    },
  });
  await simple(nmi);
  const token = nmi.token(ip);
  await asked.promise;
  await change(nmi);
  answer.resolve();
  expect((await token).status).toBe(400);
  expect(nmi.log.some(({ outcome }) => outcome === 'issued')).toBe(false);
});
