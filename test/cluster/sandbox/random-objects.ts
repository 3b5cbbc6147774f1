/** Random objects of three kinds, for the comparison of server-side apply with a real API server. */
import type { OpenApiSchema, Unstructured } from '../../../sandbox/kube/model/types.ts';
import { rawApi } from './raw-api.ts';

/**
 * Old servers differ from those of today, whose rules we follow: they do not own empty containers, keep the order of the
 * live list, print wrong paths in conflicts, keep the defaults of a struct that is applied no more, deduce a whole schema
 * that holds int-or-string, and give the owner of a container that others fill everything in it.
 */
const { body: version } = await rawApi()('GET', '/version');
export const old = Number.parseInt(version['minor'], 10) < 30;

const leaf: OpenApiSchema = { type: 'string' };
/** A schema with each kind of list and map. */
export const crdSchema: OpenApiSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        a: leaf,
        n: { type: 'integer' },
        d: { type: 'string', default: 'dd' },
        m: { type: 'object', additionalProperties: leaf },
        am: { type: 'object', additionalProperties: leaf, 'x-kubernetes-map-type': 'atomic' },
        o: { type: 'object', properties: { x: leaf, y: { type: 'object', properties: { z: leaf, w: leaf } } } },
        l: { type: 'array', items: leaf },
        ...(old
          ? {}
          : {
              ios: { 'x-kubernetes-int-or-string': true },
              free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            }),
        s: { type: 'array', items: leaf, 'x-kubernetes-list-type': 'set' },
        k: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name', 'p'],
          items: {
            type: 'object',
            required: ['name'],
            properties: {
              name: leaf,
              p: { type: 'string', default: 'TCP' },
              v: leaf,
              t: { type: 'array', items: leaf },
            },
          },
        },
      },
    },
  },
};

/** A small deterministic generator, so that a failing sequence can be run again by its seed. */
export function random(seed: number) {
  let state = seed * 2654435761 + 1;
  const next = () => {
    state = (state * 1664525 + 1013904223) % 4294967296;
    return state / 4294967296;
  };
  const pick = <T>(...items: T[]): T => items[Math.floor(next() * items.length)] as T;
  const chance = (p: number) => next() < p;
  const some = (...names: string[]) => {
    const chosen = names.filter(() => chance(0.5));
    return chosen.length > 0 || !old ? chosen : [pick(...names)];
  };
  return { pick, chance, some };
}
/** A source of random choices. */
export type Random = ReturnType<typeof random>;

/** A custom resource of `crdSchema` without a name. */
export function thing(r: Random): Unstructured {
  const word = () => r.pick('1', '2', '3');
  const map = () => Object.fromEntries(r.some('p', 'q', 'r').map((name) => [name, word()]));
  const spec: Unstructured = {};
  if (r.chance(0.5)) spec['a'] = word();
  if (r.chance(0.3)) spec['n'] = r.pick(1, 2);
  if (r.chance(0.2)) spec['d'] = word();
  if (r.chance(0.5)) spec['m'] = map();
  if (r.chance(0.4)) spec['am'] = map();
  if (r.chance(0.4)) {
    spec['o'] = { x: word() };
    if (r.chance(0.6)) spec['o'].y = Object.fromEntries(r.some('z', 'w').map((name) => [name, word()]));
  }
  if (r.chance(0.4)) spec['l'] = r.some('1', '2', '3');
  if (r.chance(0.5)) spec['s'] = r.some('3', '1', '2');
  if (r.chance(0.6)) {
    spec['k'] = r.some('y', 'x', 'z').map((name) => ({
      name,
      ...(r.chance(0.3) ? { p: r.pick('TCP', 'UDP') } : {}),
      ...(r.chance(0.6) ? { v: word() } : {}),
      ...(r.chance(0.3) ? { t: r.some('1', '2') } : {}),
    }));
  }
  if (!old) {
    if (r.chance(0.3)) spec['ios'] = r.pick<number | string>(1, '1');
    if (r.chance(0.3)) spec['free'] = { ...map(), deep: { ...map(), list: r.some('1', '2') } };
  }
  if (Object.keys(spec).length === 0) spec['a'] = word();
  const metadata: Unstructured = {};
  if (r.chance(0.4)) metadata['labels'] = map();
  if (r.chance(0.3)) metadata['annotations'] = map();
  if (r.chance(0.3)) metadata['finalizers'] = r.some('a.b/f', 'a.b/g');
  return { metadata, ...(old || r.chance(0.9) ? { spec } : {}) };
}

/** A ConfigMap without a name. */
export function configMap(r: Random): Unstructured {
  const map = () => Object.fromEntries(r.some('p', 'q', 'r').map((name) => [name, r.pick('1', '2')]));
  return {
    metadata: r.chance(0.4) ? { labels: map() } : {},
    ...(r.chance(0.8) ? { data: map() } : {}),
    ...(r.chance(0.3) ? { binaryData: { b: r.pick('eA==', 'eQ==') } } : {}),
  };
}

/** A Deployment without a name. */
export function deployment(r: Random): Unstructured {
  const container = (name: string): Unstructured => ({
    name,
    image: r.pick('i:1', 'i:2', 'i'),
    ...(r.chance(0.4) ? { args: r.some('1', '2') } : {}),
    ...(r.chance(0.5) ? { env: r.some('B', 'A').map((env) => ({ name: env, value: r.pick('1', '2') })) } : {}),
    ...(r.chance(0.4) ? { ports: [{ containerPort: r.pick(80, 81), protocol: r.pick('TCP', 'UDP') }] } : {}),
    ...(r.chance(0.3) ? { resources: { limits: { cpu: r.pick('1', '2') } } } : {}),
    ...(r.chance(0.3) ? { readinessProbe: { httpGet: { port: r.pick<number | string>(80, 'http') } } } : {}),
  });
  return {
    metadata: r.chance(0.5) ? { labels: { a: r.pick('1', '2') } } : {},
    spec: {
      paused: true,
      replicas: r.pick(0, 1),
      selector: { matchLabels: { app: 'x' } },
      ...(r.chance(0.3) ? { strategy: { type: 'Recreate' } } : {}),
      template: {
        metadata: { labels: { app: 'x' } },
        spec: {
          containers: [container('main'), ...r.some('side', 'log').map(container)],
          ...(r.chance(0.3)
            ? {
                volumes: [
                  { name: 'v', ...r.pick<object>({ emptyDir: { medium: 'Memory' } }, { secret: { secretName: 's' } }) },
                ],
              }
            : {}),
          // Old servers track its keys one by one.
          ...(!old && r.chance(0.3) ? { nodeSelector: { n: r.pick('1', '2') } } : {}),
        },
      },
    },
  };
}
