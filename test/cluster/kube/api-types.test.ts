/** The CRDs on a real API server, under groups of this run's own, so that nothing else there is touched. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { crdManifest } from '../../../runtime/api/crd.ts';
import { allKinds, armKinds, resourceOf } from '../../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../../runtime/api/types.ts';
import { validate } from '../../../runtime/api/validate.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import { KubeStatusError } from '../../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { changes, validationCases } from '../../api/validation-cases.ts';
import { customResourceDefinitions as crds } from '../../conformance/resources.ts';
import { eventually } from '../../fakes/eventually.ts';
import { exampleOf } from '../../operator/kinds/examples.ts';

const run = `t${Date.now().toString(36)}${process.pid.toString(36)}`;
/** Objects go with their CRDs; a namespace of their own would stay where no controller manager runs. */
const namespace = 'default';
/** A group of k8s.io needs an approval; these are nobody's. */
const ownGroup = (group: string) => `${group.replaceAll('.', '-')}.${run}.test.azimuth.dev`;
/**
 * The kinds whose objects are judged: all that have cases, and of the catalogue every twelfth, since its schemas come from
 * one generator. AZIMUTH_ALL_KINDS=true takes all of them, which needs half an hour.
 */
const judgedKinds = allKinds.filter(
  (kind, index) =>
    process.env['AZIMUTH_ALL_KINDS'] === 'true' ||
    index % 12 === 0 ||
    !('arm' in kind) ||
    [...validationCases.map(({ object }) => object), ...changes.map(({ old }) => old)].some(
      (object) => object.kind === kind.kind && object.apiVersion.startsWith(`${kind.group}/`),
    ),
);
const toOwn = (kind: KindDefinition): KindDefinition => ({ ...kind, group: ownGroup(kind.group), annotations: {} });
const kinds = judgedKinds.map(toOwn);

const zero = '00000000-0000-0000-0000-000000000000';
const around = { subscriptionId: zero, tenantId: zero, principalId: zero };

let client: KubeClient;
/** Whether the server judges CEL rules: 1.25 and later. */
let hasCel: boolean;

beforeAll(async () => {
  client = createKubeClient(loadKubeConnection());
  const { major, minor } = await client.raw<{ major: string; minor: string }>('/version');
  hasCel = Number(major) > 1 || Number.parseInt(minor, 10) >= 25;
  for (const kind of kinds) await client.create(crds, crdManifest(kind, { cel: hasCel }) satisfies KubeObject);
});

afterAll(async () => {
  for (const { plural, group } of kinds) await client.delete(crds, { name: `${plural}.${group}` });
  await client.close();
});

/** The object in this run's namespace and groups, its kind, and how the client addresses it. */
function own(object: KubeObject): { kind: KindDefinition; type: ResourceType; object: KubeObject } {
  const [group = '', version = ''] = object.apiVersion.split('/');
  const kind = kinds.find((each) => each.group === ownGroup(group) && each.kind === object.kind);
  if (!kind) throw new Error(`no kind ${object.apiVersion} ${object.kind}`);
  return {
    kind,
    type: { ...resourceOf(kind), version },
    object: {
      ...structuredClone(object),
      apiVersion: `${kind.group}/${version}`,
      metadata: { ...object.metadata, ...(kind.namespaced && { namespace }) },
    },
  };
}

/** What the server says to a create that changes nothing: undefined, or its refusal. */
async function refusal(type: ResourceType, object: KubeObject): Promise<KubeStatusError | undefined> {
  try {
    await client.create(type, object, { dryRun: true });
    return undefined;
  } catch (error) {
    // 400 is the answer to type and metadata that cannot even be read.
    if (error instanceof KubeStatusError && (error.status === 422 || error.status === 400)) return error;
    throw error;
  }
}

test('the server takes the CRD of every kind', async () => {
  for (const kind of allKinds.filter((each) => !judgedKinds.includes(each)))
    await client.create(crds, crdManifest(toOwn(kind), { cel: hasCel }) satisfies KubeObject, { dryRun: true });
});

test('the CRDs of the stored kinds are established and structural', async () => {
  for (const { plural, group } of kinds) {
    let conditions: { type: string; status: string; message: string }[] = [];
    await eventually(`${plural} established`, async () => {
      const crd = await client.get(crds, { name: `${plural}.${group}` });
      conditions = crd['status']?.conditions ?? [];
      return conditions.some(({ type, status }) => type === 'Established' && status === 'True');
    });
    expect(conditions.filter(({ type }) => type === 'NonStructuralSchema')).toEqual([]);
  }
});

/** Older servers leave out indexes, write keys as members, and name the object of a structural rule in words only. */
const spellings = (path: string) => [path, path.replaceAll(/\[\d+\]/g, ''), path.replaceAll(/\[(\w+)\]/g, '.$1')];

test.each(validationCases)('$name', async ({ object, refusedAt }) => {
  const { type, object: mine } = own(object);
  const refused = await refusal(type, mine);
  if (refusedAt === undefined) {
    expect(refused).toBeUndefined();
  } else {
    const message = refused?.message ?? '';
    expect(spellings(refusedAt).some((path) => message.includes(path)) ? refusedAt : message).toBe(refusedAt);
  }
});

test.each(changes)('$name', async ({ old, object, refusedAt }) => {
  const { kind, type, object: before } = own(old);
  const { status, ...spec } = before;
  const created = await client.create(type, {
    ...spec,
    metadata: { generateName: 'change-', namespace },
  } as KubeObject);
  const named = { ...created, ...(status && { status }) };
  const stored = status ? await client.replace(type, named, { subresource: 'status' }) : created;
  const update = { ...stored, spec: own(object).object['spec'] };
  const { azureName } = update.spec;
  // The message has the name that the object has here.
  if (azureName === 'sample') update.spec.azureName = stored.metadata.name;
  const expected = validate(kind, update, { old: stored });
  expect(expected.map(({ path }) => path)).toEqual(refusedAt === undefined ? [] : [refusedAt]);
  const attempt = client.replace(type, update as KubeObject, { dryRun: true });
  if (hasCel && refusedAt !== undefined) await expect(attempt).rejects.toMatchObject({ status: 422 });
  else await expect(attempt).resolves.toBeDefined();
});

/** The API server lets a list pass where the schema wants a text with a format; that is not worth imitating. */
const letPass = /^spec\.(availability\.not(Before|After)|until)=\[/;

/** Every place of a value, and the value with that place removed or replaced by something of another type. */
function* spoilt(value: unknown): Generator<{ readonly at: string; readonly value: unknown }> {
  if (value === null || typeof value !== 'object') return;
  for (const [name, member] of Object.entries(value)) {
    for (const other of [undefined, null, 5, 0.5, 'text', true, {}, [], ['text']]) {
      const copy = structuredClone(value) as Record<string, unknown>;
      if (other === undefined && Array.isArray(value)) continue;
      if (other === undefined) delete copy[name];
      else copy[name] = other;
      yield { at: `${name}=${JSON.stringify(other)}`, value: copy };
    }
    for (const below of spoilt(member)) {
      const copy = structuredClone(value) as Record<string, unknown>;
      copy[name] = below.value;
      yield { at: `${name}.${below.at}`, value: copy };
    }
  }
}

/** The largest object of the kind that the validationCases accept, or else its example of the catalogue. */
function accepted({ group, kind, versions }: KindDefinition): KubeObject {
  const ofKind = validationCases.filter(
    ({ object, refusedAt }) =>
      refusedAt === undefined && object.kind === kind && object.apiVersion.startsWith(`${group}/`),
  );
  const bySize = ofKind.sort((a, b) => JSON.stringify(b.object).length - JSON.stringify(a.object).length);
  if (bySize[0]) return bySize[0].object;
  const catalogued = armKinds.find((each) => each.group === group && each.kind === kind);
  if (!catalogued) throw new Error(`no case accepts a ${kind}.${group}`);
  const { name, spec } = exampleOf(catalogued, around);
  return { apiVersion: `${group}/${versions[0]?.name}`, kind, metadata: { name }, spec };
}

test.each(judgedKinds.map((definition) => [`${definition.kind}.${definition.group}`, definition] as const))(
  '%s, spoilt in every place: the server and validate() agree',
  async (_, definition) => {
    const { kind, type, object } = own(accepted(definition));
    const different: string[] = [];
    let judged = 0;
    for (const { at, value } of spoilt({ spec: object['spec'] })) {
      if (letPass.test(at)) continue;
      const mine = { ...object, spec: (value as KubeObject)['spec'] } as KubeObject;
      const problems = validate(kind, mine);
      const refused = await refusal(type, mine);
      judged += 1;
      // A server without CEL does not know the rules, whose problems expect nothing of one value.
      const known = problems.filter(({ message }) => hasCel || refused || message.includes(': expected '));
      if (known.length > 0 !== (refused !== undefined)) {
        different.push(
          `${at}: server ${refused?.message ?? 'accepts'}; validate ${problems.map(({ message }) => message)}`,
        );
      }
    }
    expect(different).toEqual([]);
    expect(judged).toBeGreaterThan(5);
  },
);
