import { annotations } from '../../../runtime/arm-kinds/names.ts';
import { parseJournal } from '../../../runtime/engine/index.ts';
import { configMapsType } from '../../../runtime/kube/client/core-types.ts';
import type { KubeObject } from '../../../runtime/kube/client/types.ts';
import { until } from '../../fakes/eventually.ts';
import { condition, gone, types, untilReady } from '../../operator/support.ts';
import { type ApiServerScenario, ApiWorld } from './api-world.ts';
import { NodeAgent } from './node-agent.ts';

const location = 'westeurope';
/** Seconds after the API server is back in which everything has to be as the objects say. */
const boundSeconds = 60;
/** Of an operation that is under way when the backup is made, milliseconds. */
const operationMs = 10_000;
const account = (name: string, version: string) => ({
  location,
  owner: { name: 'rg0' },
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  azureName: name,
  tags: { version },
});
const network = { location, owner: { name: 'rg0' }, addressSpace: { addressPrefixes: ['10.0.0.0/16'] } };
/** Each account is named after what happens to it after the backup. */
const accounts = ['azimuthkept', 'azimuthdeleted', 'azimuthchanged'];

/**
 * `npm run test:faults -- restore`: the data of etcd go back to a backup while the operator and a node agent of volumes
 * run. What Azure lacks is made again, what finished in the meantime does not stay as it was, and nothing is deleted. The
 * agent takes the pods that the API server has, and no others.
 */
export const restore: ApiServerScenario = async (server, bin, report) => {
  await using world = await ApiWorld.start(server);
  // A lease that outlasts the time without an API server, so that the operator goes on.
  const lease = ['--lease-duration=150s', '--renew-deadline=120s'];
  await world.startProgram(bin, 'operator', server.kubeconfig, ['--poll-interval=200ms', ...lease]);
  await using agent = await NodeAgent.start(world, bin, server.kubeconfig, 'node0');
  await fill(world);
  await beginOperations(world);
  await server.backUp();
  const problems = await underWay(world);
  await moveOn(world);
  // Its watch is at a version that the backup does not know.
  const lost = await agent.createPod('lost');
  await agent.until('authenticated', 'lost', lost);
  const before = await newestVersion(world);
  const start = world.azure.journal.entries().at(-1)?.seq ?? 0;
  await server.restore();
  if ((await newestVersion(world)) >= before) problems.push('the resource versions did not go back');
  problems.push(...(await recover(goalsOf(world, agent, lost), report)));
  problems.push(...world.deletions(start).map((path) => `a DELETE of ${path}`));
  const later = await inAzure(world, 'azimuthlater');
  if (later.status !== 200) problems.push(`azimuthlater is not in Azure any more: ${later.status}`);
  return [...problems, ...world.ends];
};

async function fill(world: ApiWorld): Promise<void> {
  await world.apply(types.group, 'rg0', { location });
  for (const name of accounts) await world.apply(types.account, name, account(name, '1'));
  await world.apply(types.network, 'leaving', network);
  for (const name of accounts) await untilReady(world, types.account, name);
  await untilReady(world, types.network, 'leaving');
}

/** A creation and a deletion, which Azure has accepted and goes on with. */
async function beginOperations(world: ApiWorld): Promise<void> {
  world.azure.settings.operationMs = operationMs;
  await world.apply(types.network, 'finished', network);
  await world.client.delete(types.network, { namespace: 'default', name: 'leaving' });
  await until('the operations are under way', async () => {
    const all = await Promise.all(['finished', 'leaving'].map((name) => findNetwork(world, name)));
    return all.every(isPolled);
  });
  world.azure.settings.operationMs = 0;
}

/** Whether the journal in the object has an operation that the operator polls. */
function isPolled(object: KubeObject | undefined): boolean {
  const journal = parseJournal(object?.metadata.annotations?.[annotations.journal]);
  return Object.values(journal?.blocks ?? {}).some(({ state }) => state === 'Polling');
}

/** A problem for each operation that is over already: its object in the backup may be finished. */
async function underWay(world: ApiWorld): Promise<string[]> {
  const [finished, leaving] = [await findNetwork(world, 'finished'), await findNetwork(world, 'leaving')];
  return [
    ...(condition(finished)?.status === 'True' ? ['the creation was over before the backup'] : []),
    ...(leaving === undefined ? ['the deletion was over before the backup'] : []),
  ];
}

/** What the backup does not know. */
async function moveOn(world: ApiWorld): Promise<void> {
  // More than an API server writes when it starts.
  const more = Array.from({ length: 300 }, (_, index) => ({ namespace: 'app', name: `more${index}` }));
  await Promise.all(
    more.map((metadata) => world.client.create(configMapsType, { apiVersion: 'v1', kind: 'ConfigMap', metadata })),
  );
  await world.client.delete(types.account, { namespace: 'default', name: 'azimuthdeleted' });
  await world.apply(types.account, 'azimuthchanged', account('azimuthchanged', '2'));
  await world.apply(types.account, 'azimuthlater', account('azimuthlater', '1'));
  await Promise.all([
    gone(world, types.account, 'azimuthdeleted'),
    untilReady(world, types.account, 'azimuthchanged'),
    untilReady(world, types.account, 'azimuthlater'),
    untilReady(world, types.network, 'finished'),
    gone(world, types.network, 'leaving'),
  ]);
  const deleted = await inAzure(world, 'azimuthdeleted');
  if (deleted.status !== 404) throw new Error(`Expected azimuthdeleted to be gone from Azure, got ${deleted.status}`);
}

/** A wait for each thing that has to be right after the restore. */
type Goals = Readonly<Record<string, () => Promise<unknown>>>;

/** `lost` is the uid of a pod that the backup does not have. */
function goalsOf(world: ApiWorld, agent: NodeAgent, lost: string): Goals {
  const tags = async (name: string) => (await inAzure(world, name)).body?.tags?.version;
  return {
    'the resource of an object that was deleted after the backup is made again': async () => {
      await until('it is in Azure', async () => (await tags('azimuthdeleted')) === '1', boundSeconds * 1000);
      await untilReady(world, types.account, 'azimuthdeleted');
    },
    'a spec that was changed after the backup is written again': () =>
      until('Azure has it', async () => (await tags('azimuthchanged')) === '1', boundSeconds * 1000),
    'a creation that finished after the backup is Ready': () => untilReady(world, types.network, 'finished'),
    'a deletion that finished after the backup ends': () => gone(world, types.network, 'leaving'),
    'a new change is carried out': async () => {
      await world.apply(types.account, 'azimuthkept', account('azimuthkept', '2'));
      await until('Azure has it', async () => (await tags('azimuthkept')) === '2', boundSeconds * 1000);
      await untilReady(world, types.account, 'azimuthkept');
    },
    'the node agent takes a new pod': async () => {
      await agent.until('authenticated', 'new', await agent.createPod('new'), boundSeconds * 1000);
    },
    'the node agent refuses a pod that was created after the backup': () =>
      agent.until('refused', 'lost', lost, boundSeconds * 1000),
  };
}

/** Waits for all goals at once; reports the seconds of each, and returns what was not in time. */
async function recover(goals: Goals, report: (text: string) => void): Promise<string[]> {
  const begun = performance.now();
  const late = Object.entries(goals).map(async ([goal, reached]) => {
    const error = await reached().then(
      () => undefined,
      (reason: Error) => reason.message,
    );
    const seconds = (performance.now() - begun) / 1000;
    const holds = error === undefined && seconds <= boundSeconds;
    report(`${holds ? 'held  ' : 'FAILED'} ${goal}: ${seconds.toFixed(1)} s`);
    return holds ? [] : [`${goal}: not within ${boundSeconds} s${error === undefined ? '' : `: ${error}`}`];
  });
  return (await Promise.all(late)).flat();
}

const findNetwork = (world: ApiWorld, name: string): Promise<KubeObject | undefined> =>
  world.client.tryGet(types.network, { namespace: 'default', name });

/** The answer to a GET of a storage account. */
function inAzure(world: ApiWorld, name: string) {
  const group = `/subscriptions/${world.azure.subscriptionId}/resourceGroups/rg0`;
  return world.rest.arm('GET', `${group}/providers/Microsoft.Storage/storageAccounts/${name}`, '2023-01-01');
}

/** The newest resource version of the cluster. */
async function newestVersion(world: ApiWorld): Promise<bigint> {
  return BigInt((await world.client.list(types.account, { limit: 1 })).resourceVersion);
}
