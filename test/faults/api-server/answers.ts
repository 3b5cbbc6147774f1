import { join } from 'node:path';
import { until } from '../../fakes/eventually.ts';
import { gone, types, untilReady } from '../../operator/support.ts';
import { AnswerProxy } from './answer-proxy.ts';
import { type ApiServerScenario, ApiWorld } from './api-world.ts';
import { type WrongAnswer, wrongAnswers } from './wrong-answers.ts';

/** What the operator asks for one after the other, when a user deletes a storage account. */
const ofDeletion = ['get storageaccounts', 'get resourcegroups', 'find customresourcedefinitions'];
/** What both programs ask for, once their watches have ended. */
const ofCaches = [
  'list pods',
  'list azureidentitybindings',
  'list azureidentities',
  'list azureassignedidentities',
  'list customresourcedefinitions',
  'list resourcegroups',
  'list storageaccounts',
  'list userassignedidentities',
];
const watched = ofCaches.map((question) => question.slice('list '.length));
/**
 * What a watch asks for after a broken connection: whether the API server is still at its position. It asks once, as a
 * wrong answer makes it list.
 */
const ofPositions = watched.map((plural) => `find ${plural}`);
/** The end of a shorter watch is one more failure in a row, with a longer delay. */
const healthyMs = 5500;
const location = 'westeurope';
const account = (name: string, tags: object = {}) => ({
  location,
  owner: { name: 'rg0' },
  kind: 'StorageV2',
  sku: { name: 'Standard_LRS' },
  azureName: name,
  tags,
});
const pods = ['pod0', 'pod1', 'pod2', 'pod3'];
const machines = ['node0', 'node1'];

/** What came of one wrong answer. */
interface Round {
  readonly hits: number;
  /** Until the programs had done all that was to be done after the last wrong answer. */
  readonly seconds: number;
  readonly problems: readonly string[];
}

/**
 * `npm run test:faults -- answers`: an HTTPS proxy before a current API server gives the operator and the identity
 * controller wrong answers. Nothing in Azure may be detached or deleted because of one; both programs recover, and a
 * deletion by a user during the fault reaches Azure.
 */
export const answers: ApiServerScenario = async (server, bin, report) => {
  await using world = await ApiWorld.start(server);
  const proxy = await AnswerProxy.start(world.connection);
  try {
    await fill(world);
    await startPrograms(world, proxy, bin);
    const problems: string[] = [];
    for (const [index, wrong] of wrongAnswers.entries()) {
      const round = await runRound(world, proxy, wrong, index);
      const held = round.problems.length === 0 && world.ends.length === 0 ? 'held  ' : 'FAILED';
      const seconds = round.seconds.toFixed(1);
      report(`${held} ${wrong.what}: ${round.hits} wrong answers, recovered ${seconds} s after the last one`);
      problems.push(...round.problems.map((problem) => `${wrong.what}: ${problem}`), ...world.ends.splice(0));
      if (problems.length > 0) break;
    }
    return problems;
  } finally {
    await proxy.close();
  }
};

/** What the programs work on; each round has an account to delete and a pod to start. */
async function fill(world: ApiWorld): Promise<void> {
  for (const name of ['rg0', 'rg1']) await world.apply(types.group, name, { location });
  for (const name of ['uai0', 'uai1']) await world.apply(types.identity, name, { location, owner: { name: 'rg0' } });
  const rounds = wrongAnswers.map((_, index) => index);
  for (const name of ['kept', ...rounds.map((index) => `gone${index}`)]) {
    await world.apply(types.account, `azimuth${name}`, account(`azimuth${name}`));
  }
  for (const name of machines) await world.vmNode(name);
  for (const name of [...pods, ...rounds.map((index) => `late${index}`)]) await world.bound(name);
  for (const [index, name] of pods.entries()) await world.pod(name, name, `node${index % 2}`);
}

async function startPrograms(world: ApiWorld, proxy: AnswerProxy, bin: string): Promise<void> {
  const kubeconfig = join(world.directory, 'proxy.kubeconfig');
  proxy.writeKubeconfig(kubeconfig);
  await Promise.all([
    // Without --kinds, so that it watches the definitions.
    world.startProgram(bin, 'operator', kubeconfig, ['--enable-leader-election=false', '--poll-interval=200ms']),
    world.startProgram(bin, 'identity', kubeconfig, [
      '--leader-election-namespace=azimuth-system',
      '--poll-interval=50ms',
    ]),
  ]);
  const { items } = await world.client.list(types.account, { limit: 0 });
  for (const { metadata } of items) await untilReady(world, types.account, metadata.name);
  await untilAssigned(world, pods);
}

async function runRound(world: ApiWorld, proxy: AnswerProxy, wrong: WrongAnswer, index: number): Promise<Round> {
  const newest = () => world.azure.journal.entries().at(-1)?.seq ?? 0;
  const start = newest();
  const hits = proxy.countHits();
  const isAnswered = (question: string) => wrong[question.startsWith('get') ? 'get' : 'list'] !== undefined;
  const name = `azimuthgone${index}`;
  const problems: string[] = [];
  let cleared = performance.now();
  /** The last entry of the journal before something changed. */
  let changed: number | undefined;
  try {
    const [first = '', ...others] = ofDeletion.filter(isAnswered);
    proxy.set(wrong, [first]);
    await world.client.delete(types.account, { namespace: 'default', name });
    await untilWrong([first], hits);
    for (const question of others) {
      proxy.set(wrong, [question]);
      await untilWrong([question], hits);
    }
    if (wrong.list) await misleadCaches(proxy, wrong);
    proxy.clear();
    cleared = performance.now();
    changed = newest();
    await recover(world, index);
  } catch (error) {
    problems.push((error as Error).message);
  } finally {
    proxy.clear();
  }
  problems.push(...patchesOf(world, start, changed ?? newest(), 0));
  if (changed !== undefined) problems.push(...patchesOf(world, changed, newest(), 1));
  const sent = world.deletions(start);
  const ofUser = sent.filter((path) => path.endsWith(`/${name}`));
  if (ofUser.length !== 1) problems.push(`${ofUser.length} DELETEs of what a user deleted, expected one`);
  problems.push(...sent.filter((path) => !ofUser.includes(path)).map((path) => `a DELETE of ${path}`));
  const total = hits();
  if (total === 0) problems.push('no program had a wrong answer: the scenario shows nothing');
  return { hits: total, seconds: (performance.now() - cleared) / 1000, problems };
}

/** Ends all watches, and answers wrongly what the programs ask because of that, until all have asked it. */
async function misleadCaches(proxy: AnswerProxy, wrong: WrongAnswer): Promise<void> {
  await until('the watches count as healthy', () => proxy.haveWatchesLasted(watched, healthyMs));
  const hits = proxy.countHits();
  proxy.set(wrong, [...ofPositions, ...ofCaches]);
  proxy.endWatches(wrong.watches);
  if (wrong.watches === 'cut') await untilWrong(ofPositions, hits);
  // A second time by what the programs do because of the first.
  await untilWrong(ofCaches, hits, wrong.once ? 1 : 2);
}

/** Waits until each question has had so many wrong answers. */
async function untilWrong(questions: readonly string[], hits: (question: string) => number, times = 1): Promise<void> {
  for (const question of questions) await until(`wrong answers to ${question}`, () => hits(question) >= times);
}

/** Changes after the fault, which are carried out, as is the deletion during the fault. */
async function recover(world: ApiWorld, index: number): Promise<void> {
  const late = `late${index}`;
  await world.pod(late, late, `node${index % 2}`);
  await world.apply(types.account, 'azimuthkept', account('azimuthkept', { round: String(index) }));
  await Promise.all([
    untilReady(world, types.account, 'azimuthkept'),
    gone(world, types.account, `azimuthgone${index}`),
    untilAssigned(world, [...pods, ...Array.from({ length: index + 1 }, (_, round) => `late${round}`)]),
  ]);
}

/** Waits until these pods, and no others, have their identities, in the cluster and in Azure. */
async function untilAssigned(world: ApiWorld, names: readonly string[]): Promise<void> {
  await world.untilStates(names.map((name) => `default/${name}-app-${name} Assigned`));
  for (const [index, machine] of machines.entries()) {
    const attached = names.filter((name) => Number(/\d+$/.exec(name)) % 2 === index);
    await world.untilAttached(world.machineId('vm', machine), attached);
  }
}

/** A problem where machines had another number of PATCHes between two entries of the journal. */
function patchesOf(world: ApiWorld, after: number, last: number, expected: number): string[] {
  const sent = world.azure.journal.entries({ service: 'arm', method: 'PATCH', after });
  const paths = sent.filter(({ seq }) => seq <= last).map(({ path }) => path);
  if (paths.length === expected) return [];
  return [`${paths.length} PATCHes of machines, expected ${expected}: ${paths.join(', ')}`];
}
