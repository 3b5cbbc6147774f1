/** What happens to attached identities while somebody removes the definitions of pod identity, and puts them back. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { crdManifest } from '../../runtime/api/crd.ts';
import { podIdentityKinds } from '../../runtime/api/kinds.ts';
import { ManualClock, systemClock } from '../../runtime/base/clock.ts';
import { silentLogger } from '../../runtime/base/observability/log.ts';
import { NeededDefinitions } from '../../runtime/identity/machines/needed-definitions.ts';
import { KubeStatusError } from '../../runtime/kube/client/status-error.ts';
import type { KubeClient, KubeObject } from '../../runtime/kube/client/types.ts';
import { customResourceDefinitions as crds } from '../conformance/resources.ts';
import type { RunningController } from './in-process-controller.ts';
import { World } from './support.ts';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

const group = 'aadpodidentity.k8s.io';
const definitionOf = (plural: string) => {
  const kind = podIdentityKinds.find((each) => each.plural === plural);
  if (!kind) throw new Error(`no kind ${plural}`);
  return crdManifest(kind) as unknown as KubeObject;
};

/** Removes definitions as kubectl does, and waits until they are gone with their objects. */
async function remove(...plurals: readonly string[]): Promise<void> {
  for (const plural of plurals) await world.client.delete(crds, { name: `${plural}.${group}` });
  for (const plural of plurals) {
    await world.until(async () => {
      const seen = await world.client.tryGet(crds, { name: `${plural}.${group}` });
      return { ok: seen === undefined, seen: seen?.metadata };
    }, `${plural} is gone`);
  }
}
const define = async (...plurals: readonly string[]) => {
  for (const plural of plurals) await world.client.create(crds, definitionOf(plural));
};

/** A pod with its identity, and another pod that ends later. */
async function running(): Promise<{ readonly machine: string; readonly controller: RunningController }> {
  const machine = await world.vmNode('node-1');
  await world.bound('id1');
  await world.bound('id2');
  await world.pod('web', 'id1', 'node-1');
  await world.pod('job', 'id2', 'node-1');
  const controller = world.controller({ machines: { verifyMs: 300 } });
  await world.untilStates(['default/job-app-id2 Assigned', 'default/web-app-id1 Assigned']);
  return { machine, controller };
}
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('without the definition of AzureAssignedIdentity nothing is detached, and the objects come back with it', async () => {
  const { machine } = await running();
  await remove('azureassignedidentities');
  // Pods come and go meanwhile, and the machine follows them.
  await world.deletePod('job');
  await world.untilAttached(machine, ['id1']);
  await define('azureassignedidentities');
  await world.untilStates(['default/web-app-id1 Assigned']);
  expect((await world.attached(machine)).names).toEqual(['id1']);
  expect(await world.recorded(machine)).toEqual(['id1']);
});

test.each([
  ['azureidentitybindings'],
  ['azureidentities'],
  ['azureidentities', 'azureidentitybindings', 'azureassignedidentities'],
])('the removal of the definitions detaches nothing, and what returns with them decides, %#', async (...plurals) => {
  const { machine } = await running();
  await remove(...plurals);
  await pause(1000);
  expect((await world.attached(machine)).names).toEqual(['id1', 'id2']);
  expect(await world.recorded(machine)).toEqual(['id1', 'id2']);
  await define(...plurals);
  if (plurals.includes('azureidentities')) for (const name of ['id1', 'id2']) await world.identity(name);
  if (plurals.includes('azureidentitybindings')) for (const name of ['id1', 'id2']) await world.binding(name, name);
  await world.untilStates(['default/job-app-id2 Assigned', 'default/web-app-id1 Assigned']);
  await world.deletePod('job');
  await world.untilAttached(machine, ['id1']);
  await world.until(async () => {
    const seen = await world.recorded(machine);
    return { ok: seen.join() === 'id1', seen };
  }, 'the record has one');
});

test('a controller that starts without the definitions detaches nothing', async () => {
  const { machine, controller } = await running();
  await controller.stop();
  await remove('azureidentitybindings');
  world.controller({ machines: { verifyMs: 300 } });
  const read = world.azure.journal.entries({ service: 'arm', method: 'GET', path: `${machine}$` }).length;
  await world.until(async () => {
    const seen = world.azure.journal.entries({ service: 'arm', method: 'GET', path: `${machine}$` }).length;
    return { ok: seen > read + 2, seen };
  }, 'the machine is read');
  expect((await world.attached(machine)).names).toEqual(['id1', 'id2']);
  expect(await world.recorded(machine)).toEqual(['id1', 'id2']);
  await define('azureidentitybindings');
  // Nobody wants them any more: no binding came back.
  await world.untilAttached(machine, []);
});

test('the definition of UserAssignedIdentity counts for an hour once it was there, and the others always', async () => {
  const clock = new ManualClock();
  let present = ['azureidentitybindings.aadpodidentity.k8s.io', 'azureidentities.aadpodidentity.k8s.io'];
  const client = {
    list: async (_: unknown, { fieldSelector }: { readonly fieldSelector: string }) => {
      const items = present.filter((name) => fieldSelector === `metadata.name=${name}`);
      return { items: items.map((name) => ({ metadata: { name } })) };
    },
    // Discovery has the kinds of the definitions alone.
    raw: (resource: string) => Promise.reject(new KubeStatusError({ verb: 'get', resource }, 404, {})),
  } as unknown as KubeClient;
  const definitions = new NeededDefinitions({ client, clock, log: silentLogger });
  const { signal } = new AbortController();
  expect(await definitions.areRemoved(signal)).toBe(false);
  present = [...present, 'userassignedidentities.managedidentity.azure.com'];
  expect(await definitions.areRemoved(signal)).toBe(false);
  const [binding = '', identity = ''] = present;
  present = [binding, identity];
  expect(await definitions.areRemoved(signal)).toBe(true);
  // Somebody gave the operator up, and keeps pod identity.
  await clock.advance(3_600_000);
  expect(await definitions.areRemoved(signal)).toBe(false);
  present = ['azureidentities.aadpodidentity.k8s.io', 'userassignedidentities.managedidentity.azure.com'];
  expect(await definitions.areRemoved(signal)).toBe(true);
});

test('without the right to list definitions none counts as removed, and without an answer nothing is decided', async () => {
  let status = 403;
  const subject = { verb: 'list', resource: 'customresourcedefinitions.apiextensions.k8s.io' };
  const client = { list: () => Promise.reject(new KubeStatusError(subject, status, {})) } as unknown as KubeClient;
  const definitions = new NeededDefinitions({ client, clock: systemClock, log: silentLogger });
  const { signal } = new AbortController();
  expect(await definitions.areRemoved(signal)).toBe(false);
  status = 503;
  await expect(definitions.areRemoved(signal)).rejects.toMatchObject({ status: 503 });
});
