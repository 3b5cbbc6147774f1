import { expect, test } from '@jest/globals';
import { systemClock } from '../../../runtime/base/clock.ts';
import type { Binding } from '../../../runtime/nmi/objects.ts';
import { AvailabilityWindows } from '../../../runtime/nmi/tokens/availability-windows.ts';
import { eventually } from '../../fakes/eventually.ts';
import { binding, bindingsType, identitiesType, identity, pod, podsType, simple, startNmi } from '../harness.ts';

const never = new AbortController().signal;
/** Windows that are never open soon, each with its own schedule, in a zone with daylight saving. */
const windows = (i: number) =>
  Array.from({ length: 64 }, (_, j) => ({ schedule: `${(i + j) % 60} ${i % 24} 29 2 *`, duration: '1h' }));
const costly = (i: number, namespace = 'greedy'): Binding =>
  ({
    kind: 'AzureIdentityBinding',
    apiVersion: 'v1',
    ...binding(`b${i}`, { availability: { timeZone: 'Europe/Berlin', windows: windows(i) } }, namespace),
  }) as Binding;

test('a binding without windows is decided at once, one with windows is computed once until it changes', async () => {
  const all = new AvailabilityWindows(systemClock);
  expect(all.tryNow(binding() as unknown as Binding)).toEqual({ open: true, until: undefined });
  const one = costly(1);
  expect(all.tryNow(one)).toBeUndefined();
  expect(await all.of(one, never)).toMatchObject({ open: false, reason: 'no window is open' });
  expect(all.tryNow(one)).toMatchObject({ open: false });
});

test('other work goes on between two bindings, and another namespace does not wait for all of one', async () => {
  const all = new AvailabilityWindows(systemClock);
  let done = 0;
  const greedy = Array.from({ length: 12 }, (_, i) => all.of(costly(i), never).then(() => done++));
  await all.of(costly(99, 'modest'), never);
  expect(done).toBeLessThan(5);
  await Promise.all(greedy);
});

test('a pod with thirty bindings of many windows keeps no neighbour from its token', async () => {
  await using nmi = await startNmi({ args: ['--operation-mode=managed', '--forceNamespaced'] });
  await simple(nmi);
  await nmi.kube.put(identitiesType, identity('id', {}, 'greedy'));
  await eventually('served', async () => (await nmi.token('127.0.0.5')).status === 200);
  for (let i = 0; i < 30; i++) {
    const { metadata, spec } = costly(i);
    await nmi.kube.put(bindingsType, { metadata, spec: { ...spec, selector: 'many' } } as never);
  }
  await nmi.kube.put(podsType, pod({ namespace: 'greedy', name: 'g', ip: '127.0.0.6', label: 'many' }));
  const leave = new AbortController();
  const greedy = nmi.token('127.0.0.6', {}, { from: '127.0.0.6', headers: { metadata: 'true' }, signal: leave.signal });
  greedy.catch(() => undefined);
  let answered = false;
  greedy
    .finally(() => {
      answered = true;
    })
    .catch(() => undefined);
  for (let i = 0; i < 10; i++) expect((await nmi.token('127.0.0.5')).status).toBe(200);
  expect(answered).toBe(false);
  await eventually('it is refused in the end', async () => (await nmi.metrics()).includes('status_code="403"'));
  leave.abort();
});
