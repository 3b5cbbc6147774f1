import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Reflector } from '../../runtime/kube/cache/reflector.ts';
import type { CacheChange } from '../../runtime/kube/cache/types.ts';
import type { KubeObject } from '../../runtime/kube/client/types.ts';
import { eventually } from '../fakes/eventually.ts';
import { garbled, status, unreachable } from '../fakes/kube-failures.ts';
import { runtimeOf, widget, widgets } from '../fakes/kube-objects.ts';
import { LocalKube } from '../fakes/local-kube.ts';

const name = fc.nat(11).map((n) => `w${n}`);
const fault = fc.constantFrom(
  'reset',
  'ended',
  'garbled',
  '500',
  'expired',
  'list-500',
  'list-expired',
  'watch-refused',
);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('create' as const), name }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('update' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('delete' as const), name }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('replace' as const), name }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('fault' as const), fault }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('turns' as const), turns: fc.nat(8) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function disturb(kube: LocalKube, which: string): Promise<void> {
  switch (which) {
    case 'reset':
      return kube.endWatches(unreachable());
    case 'ended':
      return kube.endWatches();
    case 'garbled':
      return kube.endWatches(garbled());
    case '500':
      return kube.endWatches(status('watch', widgets, 500, 'InternalError'));
    case 'expired':
      kube.compact();
      return kube.endWatches(unreachable());
    case 'list-500':
      kube.failNext('list', status('list', widgets, 500, 'InternalError'));
      return kube.endWatches(garbled());
    case 'list-expired':
      // Pages read so far are of no use: the next one is refused.
      kube.failNext('list', () => {
        kube.compact();
        return undefined;
      });
      return kube.endWatches(garbled());
    case 'list-races':
      // After the first page was read, its objects change.
      kube.failNext('list', () => undefined);
      kube.failNext('list', () => {
        void kube.create(widgets, widget('w0')).catch(() => undefined);
        void kube.delete(widgets, { namespace: 'default', name: 'w1' }).catch(() => undefined);
        void kube.delete(widgets, { namespace: 'default', name: 'w10' }).catch(() => undefined);
        return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(undefined))));
      });
      return kube.endWatches(garbled());
    default:
      kube.failNext('watch', unreachable(), 2);
      return kube.endWatches(unreachable());
  }
}

async function perform(kube: LocalKube, each: Step, count: number): Promise<void> {
  const key = { namespace: 'default', name: 'name' in each ? each.name : '' };
  const color = { color: `c${count % 3}`, count };
  if (each.do === 'create') await kube.create(widgets, widget(each.name, color)).catch(() => undefined);
  else if (each.do === 'update') {
    await kube.patch(widgets, key, { type: 'merge', body: { spec: color } }).catch(() => undefined);
  } else if (each.do === 'delete') await kube.delete(widgets, key).catch(() => undefined);
  else if (each.do === 'replace') {
    await kube.delete(widgets, key).catch(() => undefined);
    await kube.create(widgets, widget(each.name, color));
  } else if (each.do === 'fault') await disturb(kube, each.fault);
  else await new Promise((resolve) => setTimeout(resolve, each.turns));
}

const withoutManagedFields = ({ metadata, ...rest }: KubeObject): KubeObject => ({
  ...rest,
  metadata: { ...metadata, managedFields: undefined },
});
const sorted = (objects: KubeObject[]) => objects.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));

/** Rebuilds the state from the changes that handlers got, and fails on a change that does not fit. */
function follower() {
  const state = new Map<string, KubeObject>();
  return {
    state,
    handle(change: CacheChange) {
      const { name } = (change.type === 'deleted' ? change.old : change.object).metadata;
      const known = state.get(name);
      if (change.type === 'added') expect(known).toBeUndefined();
      else expect(known?.metadata.uid).toBe(change.old.metadata.uid);
      if (change.type === 'updated') expect(known).toBe(change.old);
      if (change.type === 'deleted') state.delete(name);
      else state.set(name, change.object);
    },
  };
}

test('whatever fails in whatever order, the cache and its handlers end up with the server state', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 60 }),
      fc.integer({ min: 1, max: 5 }),
      async (steps, pageSize) => {
        const kube = new LocalKube();
        const stop = new AbortController();
        const reflector = new Reflector(runtimeOf(kube), {
          type: widgets,
          pageSize,
          backoff: { initialMs: 1, maxMs: 3 },
          indexes: { color: ({ spec }) => [spec.color] },
        });
        const errors: unknown[] = [];
        const { state, handle } = follower();
        reflector.onChange((change) => {
          try {
            handle(change);
          } catch (error) {
            errors.push(error);
          }
        });
        const running = reflector.run(stop.signal);
        try {
          let count = 0;
          for (const each of steps) await perform(kube, each, count++);
          const wanted = () => sorted(kube.all(widgets).map(withoutManagedFields));
          const versions = (objects: KubeObject[]) =>
            objects.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`).join();
          await eventually(
            'the cache is equal',
            () => reflector.synced && versions(sorted(reflector.list())) === versions(wanted()),
          );
          expect(sorted(reflector.list())).toEqual(wanted());
          expect(sorted([...state.values()])).toEqual(wanted());
          for (const color of ['c0', 'c1', 'c2']) {
            expect(sorted(reflector.byIndex('color', color))).toEqual(
              wanted().filter(({ spec }) => spec.color === color),
            );
          }
          expect(errors).toEqual([]);
        } finally {
          stop.abort();
          await running;
        }
        expect(kube.watches).toBe(0);
      },
    ),
    { numRuns: 150 },
  );
});
