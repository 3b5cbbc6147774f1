/**
 * The embedded API's server-side apply and update tracking against a real API server: random sequences of writes by
 * several managers; after every write the object and its managed fields (without times) must be the same on both sides.
 * AZIMUTH_SEQUENCES sets how many sequences per kind are run.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { canonicalJson } from '../../../runtime/base/json.ts';
import type { OpenApiSchema, Unstructured } from '../../../sandbox/kube/model/types.ts';
import {
  applyPatch,
  builtinTypes,
  compileSchema,
  serverSideApply,
  trackUpdate,
} from '../../../sandbox/kube/schema/index.ts';
import { eventually } from '../../fakes/eventually.ts';
import { configMap, crdSchema, deployment, old, type Random, random, thing } from './random-objects.ts';
import { type RawAnswer, rawApi } from './raw-api.ts';

const sequences = Number(process.env['AZIMUTH_SEQUENCES'] ?? 25);
const steps = 9;
const api = rawApi();
const namespace = `ssa-${process.pid}`;
const group = `ssa${process.pid}.azimuth.test`;
const now = '2026-01-01T00:00:00Z';

beforeAll(async () => {
  await api('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { plural: 'things', kind: 'Thing' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: crdSchema } }],
    },
  };
  const created = await api('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  expect(created).toMatchObject({ status: 201 });
  await eventually('the new kind is served', async () => {
    const { status } = await api('GET', `/apis/${group}/v1/namespaces/${namespace}/things`);
    return status === 200;
  });
  const published = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { status, body } = await api('GET', '/openapi/v2');
    return status === 404 || Object.keys(body['definitions']).some((name) => name.endsWith('.Thing'));
  };
  // The server builds that document anew for each CRD that came or went before this one, seconds each where there are many.
  await eventually('the schema of the new kind is published, which apply needs', published, 400_000);
});

afterAll(async () => {
  // A sequence that failed left its object behind, perhaps with finalizers.
  const things = `/apis/${group}/v1/namespaces/${namespace}/things`;
  for (const { metadata } of (await api('GET', things)).body['items'] ?? []) {
    await api(
      'PATCH',
      `${things}/${metadata.name}`,
      { metadata: { finalizers: null } },
      'application/merge-patch+json',
    );
  }
  await api('DELETE', `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/things.${group}`);
  await api('DELETE', `/api/v1/namespaces/${namespace}`);
});

const bookkeeping = ['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'selfLink', 'managedFields'];

function comparable(object: Unstructured): Unstructured {
  const copy = JSON.parse(JSON.stringify(object)) as Unstructured;
  for (const name of bookkeeping) delete copy['metadata'][name];
  const emptied = copy['spec']?.template?.metadata;
  if (emptied?.creationTimestamp === null) delete emptied.creationTimestamp;
  if (copy['kind'] === 'Deployment') delete copy['status'];
  const template = copy['spec']?.template?.spec;
  // Inner lists first, as outer items are sorted by their whole text.
  const inner = (template?.containers ?? []).flatMap((item: Unstructured) => [item['env'], item['ports']]);
  const lists = [
    ...inner,
    copy['metadata'].finalizers,
    copy['spec']?.k,
    copy['spec']?.s,
    template?.containers,
    template?.volumes,
  ];
  if (old)
    for (const list of lists) list?.sort((a: unknown, b: unknown) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  const managers = (object['metadata'].managedFields ?? []).map(
    ({ manager, operation, apiVersion, fieldsV1 }: Unstructured) => ({ manager, operation, apiVersion, fieldsV1 }),
  );
  managers.sort((a: Unstructured, b: Unstructured) =>
    JSON.stringify([a['manager'], a['operation']]) < JSON.stringify([b['manager'], b['operation']]) ? -1 : 1,
  );
  return { ...copy, managers };
}

let refusals = 0;

/** Built-in kinds have rules of their own; and where an apply removes the last item, 1.20 leaves a null that it refuses. */
function refused({ status, body }: RawAnswer): boolean {
  if (status < 300) return false;
  if (status !== 422) throw new Error(JSON.stringify(body));
  refusals += 1;
  return true;
}

/** Whether a manager owns a granular container alone that is not empty. */
function ownsFilledContainer(object: Unstructured): boolean {
  const atomic = new Set(['l', 'am', 't', 'args', 'selector']);
  const visit = (fields: Unstructured, value: unknown): boolean =>
    Object.entries(fields).some(([step, inner]) => {
      const name = step.slice(2);
      let found: unknown;
      if (step.startsWith('f:')) found = (value as Unstructured | undefined)?.[name];
      else if (step.startsWith('k:')) {
        const keys = Object.entries(JSON.parse(name) as object);
        found = (value as Unstructured[] | undefined)?.find?.((item) =>
          keys.every(([key, wanted]) => item[key] === wanted),
        );
      } else return false;
      if (Object.keys(inner).length > 0) return visit(inner, found);
      const filled = typeof found === 'object' && found !== null && Object.keys(found).length > 0;
      return filled && !atomic.has(name);
    });
  return (object['metadata'].managedFields ?? []).some((entry: Unstructured) => visit(entry['fieldsV1'], object));
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly path: string;
  readonly schema: OpenApiSchema;
  readonly preserveUnknown: boolean;
  readonly make: (r: Random) => Unstructured;
}

const builtin = (kind: string) => builtinTypes.find((type) => type.kind === kind)?.schema ?? {};
const kinds: Record<string, Kind> = {
  'a custom resource': {
    apiVersion: `${group}/v1`,
    kind: 'Thing',
    path: `/apis/${group}/v1/namespaces/${namespace}/things`,
    schema: crdSchema,
    preserveUnknown: false,
    make: thing,
  },
  'a ConfigMap': {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: `/api/v1/namespaces/${namespace}/configmaps`,
    schema: builtin('ConfigMap'),
    preserveUnknown: true,
    make: configMap,
  },
  'a Deployment': {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    path: `/apis/apps/v1/namespaces/${namespace}/deployments`,
    schema: builtin('Deployment'),
    preserveUnknown: true,
    make: deployment,
  },
};

test.each(Object.entries(kinds))(
  'random writes to %s leave the same object and owners as on the API server',
  async (_, kind) => {
    const compiled = compileSchema(kind.schema, { preserveUnknown: kind.preserveUnknown });
    const complete = (object: Unstructured) => {
      const copy = structuredClone(object);
      compiled.prune(copy);
      compiled.applyDefaults(copy);
      return copy;
    };
    let compared = 0;
    refusals = 0;
    let conflicts = 0;
    for (let sequence = 0; sequence < sequences; sequence += 1) {
      const seed = Number(process.env['AZIMUTH_SEED'] ?? 0) + sequence;
      const r = random(seed);
      const name = `o${seed}`;
      let live: Unstructured | undefined;
      const history: unknown[] = [];
      const tracking = (before: Unstructured | undefined, after: Unstructured, manager: string) => {
        const managedFields = trackUpdate({
          before,
          after,
          manager,
          apiVersion: kind.apiVersion,
          subresource: '',
          operation: 'Update',
          schema: kind.schema,
          now,
        });
        return { ...after, metadata: { ...after['metadata'], managedFields } };
      };
      for (let step = 0; step < steps; step += 1) {
        const made = kind.make(r);
        const object = {
          apiVersion: kind.apiVersion,
          kind: kind.kind,
          ...made,
          metadata: { ...made['metadata'], name, namespace },
        };
        const manager = r.pick('m1', 'm2');
        const action =
          live === undefined
            ? r.pick('apply', 'apply', 'create')
            : r.pick('apply', 'apply', 'apply', 'replace', 'merge');
        const force = r.chance(0.4);
        history.push({ action, manager, force, object: made });
        const where = { seed, history: JSON.stringify(history, null, 1), live: JSON.stringify(live) };
        const query = `fieldManager=${manager}`;
        let expected: Unstructured;
        let actual: Unstructured;
        if (action === 'apply') {
          const answer = await api(
            'PATCH',
            `${kind.path}/${name}?${query}&force=${force}`,
            object,
            'application/apply-patch+yaml',
          );
          const outcome = serverSideApply({
            live,
            applied: object,
            manager,
            force,
            apiVersion: kind.apiVersion,
            subresource: '',
            schema: kind.schema,
            now,
          });
          if ('conflicts' in outcome || answer.status === 409) {
            conflicts += 1;
            const shownPath = (field: string) => (old ? '' : `${field} `);
            const ours =
              'conflicts' in outcome
                ? outcome.conflicts.map((c) => `${shownPath(c.field)}conflict with ${c.manager}`)
                : [];
            const theirs = (answer.body['details']?.causes ?? []).map(
              (c: Unstructured) => shownPath(c['field']) + c['message'].replace(/ at \d.*$/, ''),
            );
            expect({ ...where, conflicts: ours.sort() }).toEqual({ ...where, conflicts: theirs.sort() });
            continue;
          }
          // Where an apply removes the last item, 1.20 leaves a null behind and refuses it itself.
          if (answer.status === 422 && /: "null"/.test(answer.body['message'])) continue;
          if (refused(answer)) continue;
          expected = answer.body;
          actual = complete(outcome.object);
        } else if (action === 'merge' && live) {
          const { apiVersion: _a, kind: _k, ...patch } = made;
          const answer = await api('PATCH', `${kind.path}/${name}?${query}`, patch, 'application/merge-patch+json');
          if (refused(answer)) continue;
          expected = answer.body;
          actual = tracking(live, complete(applyPatch('merge', live, patch)), manager);
        } else {
          const [method, path] = live ? ['PUT', `${kind.path}/${name}`] : ['POST', kind.path];
          const { resourceVersion } = live?.['metadata'] ?? {};
          const sent = { ...object, metadata: { ...object.metadata, ...(resourceVersion ? { resourceVersion } : {}) } };
          const answer = await api(method, `${path}?${query}`, sent);
          if (refused(answer)) continue;
          expected = answer.body;
          actual = tracking(live, complete(object), manager);
        }
        expect({ ...where, object: comparable(actual) }).toEqual({ ...where, object: comparable(expected) });
        compared += 1;
        live = expected;
        if (old && ownsFilledContainer(live)) break;
      }
      await api('PATCH', `${kind.path}/${name}`, { metadata: { finalizers: null } }, 'application/merge-patch+json');
      await api('DELETE', `${kind.path}/${name}`);
    }
    expect(compared).toBeGreaterThan(sequences * 2);
    process.stdout.write(
      `${kind.kind}: ${compared} objects and ${conflicts} conflicts compared, ${refusals} refused by the server\n`,
    );
  },
);
