/** Kinds of the catalogue through their whole life on the sandbox; the objects are made from the catalogue's data. */

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ArmKindDefinition, armKinds, resourceOf } from '../../../runtime/api/kinds.ts';
import { catalogueModel } from '../../../runtime/arm-kinds/catalogue-kind.ts';
import { armDiff } from '../../../runtime/arm-kinds/comparison/arm-diff.ts';
import { getPath, setPath } from '../../../runtime/arm-kinds/values/json-object.ts';
import type { JsonObject } from '../../../runtime/base/json.ts';
import { listAll } from '../../../runtime/kube/client/paginate.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { untilEach } from '../../fakes/eventually.ts';
import { condition, configMaps, events, secrets, startWorld, until, type World } from '../support.ts';
import { type Example, exampleKinds, exampleName, exampleOf } from './examples.ts';

const limitMs = 400_000;
const kinds = exampleKinds.map((kind) => [`${kind.group.split('.')[0]}/${kind.kind}`, kind] as const);
/** What a phase found out of each kind, by its id. */
type Findings = Map<string, unknown>;
const created: Findings = new Map();
const idle: Findings = new Map();
const changed: Findings = new Map();
const repaired: Findings = new Map();
const exported: Findings = new Map();
const deleted: Findings = new Map();

let world: World;
let examples: ReadonlyMap<string, Example>;

const armIds = new Map<string, string>();
const apiVersionOf = ({ kind }: Example) => Object.values(kind.arm.apiVersions)[0] as string;
const read = ({ kind, name }: Example) => world.client.tryGet(resourceOf(kind), { namespace: 'default', name });

/** Waits until it holds for every kind, and says for which it does not. */
async function forAll(what: string, holds: (example: Example, id: string) => Promise<boolean>): Promise<void> {
  const left = await untilEach(examples, ([id, example]) => holds(example, id), limitMs);
  const conditions = left.map(async ([id, example]) => `${id}: ${JSON.stringify(condition(await read(example)))}`);
  if (left.length > 0)
    throw new Error(`Not within ${limitMs / 1000} s: ${what}:\n${(await Promise.all(conditions)).join('\n')}`);
}

const allReady = () =>
  forAll('ready', async (example) => {
    const object = await read(example);
    const ready = condition(object);
    return ready?.status === 'True' && ready.observedGeneration === object?.metadata.generation;
  });

/** How many owners are above it. */
function depthOf({ arm }: ArmKindDefinition): number {
  if (!arm.owner) return 0;
  if (arm.owner.extension) return 1;
  const { group, kinds: names } = arm.owner;
  const owner = armKinds.find((kind) => kind.group === group && kind.kind === names[0]);
  return owner ? depthOf(owner) + 1 : 0;
}

const mark = () => world.azure.journal.entries({}).at(-1)?.seq ?? 0;
/** Without those that a server at work on another of its children refused for the moment. */
const requests = (method: string, example: Example, since: number) => {
  const path = (armIds.get(exampleName(example.kind)) ?? '').toLowerCase();
  return world.azure.journal
    .entries({ service: 'arm', method })
    .filter(({ seq, status, path: asked }) => seq > since && status !== 409 && asked.toLowerCase() === path);
};
const allRead = (since: number) => forAll('read', async (example) => requests('GET', example, since).length > 0);

const apply = ({ kind, name }: Example, spec: JsonObject) => world.apply(resourceOf(kind), name, spec);

/** Somebody takes the change back in Azure. */
async function undoInAzure(example: Example): Promise<void> {
  const { kind, name, spec, changed: declared } = example;
  const model = catalogueModel(kind);
  const [type] = kind.versions;
  const bodyOf = (content: JsonObject) => {
    const object = { apiVersion: `${kind.group}/${type?.name}`, kind: kind.kind, metadata: { name }, spec: content };
    return model.body(object as KubeObject, new Map());
  };
  const before = bodyOf(spec);
  const [difference] = armDiff(bodyOf(declared), before);
  if (!difference) throw new Error(`${kind.kind}: the change is none`);
  const id = armIds.get(name) as string;
  const live = await world.portal.arm('GET', id, apiVersionOf(example));
  if (live.status !== 200) throw new Error(`GET ${id}: ${live.status} ${live.text}`);
  setPath(live.body, difference.path, getPath(before, difference.path));
  await until(`PUT ${id} is taken`, async () => {
    const { status, text } = await world.portal.arm('PUT', id, apiVersionOf(example), live.body);
    if (status >= 300 && status !== 409) throw new Error(`PUT ${id}: ${status} ${text}`);
    return status < 300;
  });
}

/** Some examples lie under ARM ids, for which the operator's own credential needs a rule. */
const anywhere = { AZURE_OPERATOR_CREDENTIAL_SCOPES: '*=/' };

beforeAll(async () => {
  world = await startWorld({ kinds: '*', versions: 'all' });
  const { subscriptionId, tenantId, throttle } = world.azure;
  // This file counts requests and makes hundreds of its own; how throttling is obeyed is tested elsewhere.
  for (const bucket of Object.values(throttle.limits)) Object.assign(bucket, { size: 1e6, refillPerSecond: 1e6 });
  throttle.reset();
  const principalId = world.azure.defaultApp.objectId;
  examples = new Map(kinds.map(([id, kind]) => [id, exampleOf(kind, { subscriptionId, tenantId, principalId })]));

  // Children before their owners: the order must not matter.
  for (const example of [...examples.values()].reverse()) await apply(example, example.spec);
  const first = await world.startOperator(anywhere);
  await allReady();
  for (const [id, example] of examples) {
    const object = await read(example);
    armIds.set(example.name, String(object?.['status'].id));
    created.set(id, requests('PUT', example, 0).length);
    const values: JsonObject = {};
    for (const [names, type, suffix] of [
      [example.secrets, secrets, 'secrets'],
      [example.configMaps, configMaps, 'config'],
      [example.kind.arm.secretSource?.celNames ?? [], secrets, 'cel'],
    ] as const) {
      if (names.length === 0) continue;
      const { data } = (await world.get(type, `${example.name}-${suffix}`)) as unknown as { data: JsonObject };
      values[suffix] = { wanted: [...names].sort(), found: Object.keys(data).sort(), data };
    }
    exported.set(id, values);
  }
  await first.stop();

  let since = mark();
  const second = await world.startOperator(anywhere);
  await allRead(since);
  await allReady();
  for (const [id, example] of examples) idle.set(id, requests('PUT', example, since).length);

  // A PUT of a network, security group or scale set carries the children that Azure shows at that moment: a child that is
  // written at the same time may be lost, in Azure as here. So owners and what is in them take turns.
  const depths = [...new Set([...examples.values()].map(({ kind }) => depthOf(kind)))].sort();
  const ofDepth = (depth: number) => [...examples].filter(([, { kind }]) => depthOf(kind) === depth);
  for (const depth of depths) {
    since = mark();
    for (const [, example] of ofDepth(depth)) await apply(example, example.changed as JsonObject);
    await allReady();
    for (const [id, example] of ofDepth(depth)) changed.set(id, requests('PUT', example, since).length);
  }
  await second.stop();

  for (const depth of depths) {
    const ids = new Set(ofDepth(depth).map(([id]) => id));
    for (const [, example] of ofDepth(depth)) await undoInAzure(example);
    await forAll('in sync in Azure', async (example) => {
      const { body } = await world.portal.arm('GET', armIds.get(example.name) as string, apiVersionOf(example));
      return /^(Succeeded|undefined)$/i.test(String(body.properties?.provisioningState));
    });
    since = mark();
    const operator = await world.startOperator(anywhere, { eventWritesPerSecond: 1000 });
    await forAll('set back', async (example, id) => !ids.has(id) || requests('PUT', example, since).length > 0);
    await allReady();
    for (const [id, example] of ofDepth(depth)) repaired.set(id, requests('PUT', example, since).length);
    if (depth !== depths.at(-1)) await operator.stop();
  }
  // Events are written beside the work, some of them after it.
  let withEvents = new Set<string>();
  await forAll('reported by events', async ({ kind: { group, kind }, name }) => {
    if (!withEvents.has(`${group}/${kind} ${name}`)) {
      const { items } = await listAll(world.client, events, { namespace: 'default' });
      const found = items.filter(({ reason }) => reason === 'RepairingDrift');
      const subjects = found.map(
        ({ regarding }) => `${regarding.apiVersion.split('/')[0]}/${regarding.kind} ${regarding.name}`,
      );
      withEvents = new Set(subjects);
    }
    return withEvents.has(`${group}/${kind} ${name}`);
  });

  // What is inside goes first, so that each is deleted for itself and not with its owner.
  since = mark();
  for (const depth of depths.toReversed()) {
    for (const { kind, name } of examples.values()) {
      if (depthOf(kind) === depth) await world.client.delete(resourceOf(kind), { namespace: 'default', name });
    }
    await forAll(
      `of depth ${depth} are gone`,
      async (example) =>
        depthOf(example.kind) !== depth || !example.kind.arm.deletable || (await read(example)) === undefined,
    );
  }
  await forAll('are gone with their owners', async (example) => (await read(example)) === undefined);
  for (const [id, example] of examples) {
    const answer = await world.portal.arm('GET', armIds.get(example.name) as string, apiVersionOf(example));
    deleted.set(id, { status: answer.status, requests: requests('DELETE', example, since).length });
  }
}, 8 * limitMs);
afterAll(() => world?.close());

/** They exist with their account, so that nothing is sent unless something is declared. */
const implied = /^storage\/StorageAccounts(Blob|File|Queue|Table)Service$/;

test.each(kinds)('%s: created with one PUT', (id) => {
  expect(created.get(id)).toBe(implied.test(id) ? 0 : 1);
});

test.each(kinds)('%s: a second reconcile of a resource that is in sync sends no PUT', (id) => {
  expect(idle.get(id)).toBe(0);
});

test.each(kinds)('%s: a change of a field is one PUT', (id) => {
  expect(changed.get(id)).toBe(1);
});

// The set-up does not go on before an event says so for each.
test.each(kinds)('%s: a declared field changed in Azure is set back with one PUT', (id) => {
  expect(repaired.get(id)).toBe(1);
});

test.each(kinds.filter(([, { arm }]) => arm.secretSource))('%s: every export it knows is written', (id, { arm }) => {
  const values = exported.get(id) as Record<string, { wanted: string[]; found: string[]; data: JsonObject }>;
  expect(Object.keys(values).length).toBeGreaterThan(0);
  for (const { wanted, found, data } of Object.values(values)) {
    expect(found).toEqual(wanted);
    for (const value of Object.values(data)) expect(value).toMatch(/^.+$/s);
  }
  // An expression sees the same values as are exported.
  for (const name of arm.secretSource?.celNames ?? []) {
    expect(values['cel']?.data[name]).toBe(values['secrets']?.data[name]);
  }
});

test.each(kinds)('%s: deleted, it is gone from Azure', (id, { arm }) => {
  // What Azure cannot delete alone goes with its owner.
  expect(deleted.get(id)).toEqual({ status: 404, requests: arm.deletable ? 1 : 0 });
});
