import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { adminRequest } from '../../../sandbox/azure/admin/admin-client.ts';
import { startEmbeddedAzure } from '../../../sandbox/azure/azure.ts';
import type { JournalEntry } from '../../../sandbox/azure/journal.ts';
import { startEmbeddedKube } from '../../../sandbox/kube/index.ts';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { moduleFile } from '../../base/process/module-file.ts';
import { createKubeClient } from '../../kube/client/client.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { loadKubeConnection } from '../../kube/config/kubeconfig.ts';
import { Applier, definitionsEstablished, readManifests } from './apply.ts';
import { showDeployment } from './deployment.ts';
import { type Followed, followUntilReady } from './follow.ts';
import { batchMs, HealthPart, instancesReadMs } from './health-part.ts';
import { showMachines } from './machines/machines.ts';
import { endpointLocation, machinesGroup, secretsAudience, startSecretEndpoint } from './machines/secret-endpoint.ts';
import { showPodIdentity, startPodIdentity } from './pod-identity.ts';
import { resolveContainer } from './pods/local-container.ts';
import { createSettings, type LocalProgram, startProgram } from './programs/program.ts';
import { run } from './programs/run.ts';
import type { Progress } from './progress.ts';
import { showVolume, startVolumesAgent } from './volume.ts';
import type { DemoWorld } from './world.ts';

/** The options of the demonstration. */
export interface DemoOptions {
  readonly progress: Progress;
  /** Directory for kubeconfigs, certificates and logs; emptied first. */
  readonly directory: string;
  /** Ends the demonstration early. */
  readonly signal: AbortSignal;
  /** Called when all programs are ready, before they are stopped. */
  readonly whileUp?: (up: DemoSummary) => Promise<void>;
}

type ProgramName = 'operator' | 'identity' | 'nmi' | 'volumes' | 'secrets';

/** The result of the demonstration. */
export interface DemoSummary {
  readonly kubeconfig: string;
  readonly manifests: readonly string[];
  /** The programs of the run: their logs, and the base URLs of their health and metrics. */
  readonly programs: Readonly<Record<ProgramName, { readonly log: string; readonly health: string }>>;
  readonly resources: number;
  /** Writes of the programs to Azure Resource Manager. */
  readonly azureWrites: number;
  readonly reusedTokens: number;
  /** Of the scenes in which a bad version stops and is taken back. */
  readonly health: Pick<HealthPart, 'batches' | 'waitSeconds'>;
}

const synth = fileURLToPath(moduleFile(import.meta.url, '../../../main.ts'));
const manifestOf = (name: string) => fileURLToPath(new URL(`${name}.yaml`, import.meta.url));
const APPLICATION_POLL_MS = 200;
/**
 * A realistic choice for this application: the operator serves these kinds, and the API server has only their CRDs.
 */
export const demoKinds = ['resources', 'storage', 'managedidentity', 'authorization', 'keyvault']
  .map((group) => `${group}.azure.com/*`)
  .concat('compute.azure.com/VirtualMachine', 'compute.azure.com/VirtualMachineScaleSet')
  .join(';');

/**
 * Runs the main scenario on real parts: synthesized manifests, each program under its own service account, an
 * application that waits for its Azure resources, and a pod that signs in to Azure.
 */
export async function runDemo(options: DemoOptions): Promise<DemoSummary> {
  const { directory } = options;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  await using stack = new AsyncDisposableStack();

  const manifests = await synthesize(options);
  const world = await startWorld(options, stack);
  const { azure } = world;
  const programs = await applyManifests(world, manifests);

  const operator = await startOperator(world, programs.operator);
  // These programs start while Azure creates the application's resources.
  const podIdentity = await startPodIdentity(world, programs.identity, programs.nmi, 'photos');
  const agent = await startVolumesAgent(world, programs.volumes, podIdentity);
  const endpoint = await startSecretEndpoint(world, programs.secrets);
  const applicationResources = await showOperator(world, operator);
  await showPodIdentity(world, podIdentity);
  await showVolume(world, agent);
  const health = new HealthPart();
  const machineResources = await showMachines(world, endpoint, health);
  const deployedResources = await showDeployment(world, health);
  options.progress.line(`${health}`);

  const writes = await adminRequest<JournalEntry[]>(azure, 'GET', '/journal?service=arm&effective=true');
  const reused = await adminRequest<JournalEntry[]>(azure, 'GET', '/journal/reused');
  const shown = ({ process, health }: LocalProgram) => ({ log: process.logFile, health });
  const { identity, nmi } = podIdentity;
  const summary: DemoSummary = {
    kubeconfig: join(directory, 'kubeconfig'),
    manifests: manifests.map((path) => relative(process.cwd(), path)),
    programs: {
      operator: shown(operator),
      identity: shown(identity),
      nmi: shown(nmi),
      volumes: shown(agent.program),
      secrets: shown(endpoint.program),
    },
    resources: applicationResources + machineResources + deployedResources,
    // The default app created the initial resources.
    azureWrites: writes.filter(({ clientId }) => clientId !== azure.defaultApp.clientId).length,
    reusedTokens: reused.length,
    health,
  };
  await options.whileUp?.(summary);
  return summary;
}

/** Synthesizes the manifests of all programs; returns their files. */
async function synthesize({ progress, directory, signal }: DemoOptions): Promise<string[]> {
  return progress.step('Synthesize the manifests', async (note) => {
    const output = join(directory, 'dist');
    const env = {
      AZIMUTH_PROGRAMS: 'operator;pod-identity;key-vault-volumes;machine-secrets;deployments',
      AZIMUTH_KINDS: demoKinds,
      AZIMUTH_VERSIONS: 'newest',
      AZIMUTH_SECRETS_AUDIENCE: secretsAudience,
      AZIMUTH_SECRETS_LOCATION: endpointLocation,
    };
    await run(['node', synth], { cwd: directory, env: { ...env, CDK8S_OUTDIR: output }, signal });
    const names = (await readdir(output)).filter((name) => name.endsWith('.k8s.yaml')).sort();
    note(`${names.join(', ')} for ${demoKinds}`);
    return names.map((name) => join(output, name));
  });
}

/** The embedded Kubernetes and Azure, and an administrator's access to them. */
async function startWorld(options: DemoOptions, stack: AsyncDisposableStack): Promise<DemoWorld> {
  const { progress, directory, signal } = options;
  const kube = await progress.step('Start the embedded Kubernetes API', async (note) => {
    const started = await startEmbeddedKube();
    stack.defer(() => started.close());
    note(started.url);
    return started;
  });
  const azure = await progress.step('Start the embedded Azure', async (note) => {
    const caFile = join(directory, 'azure-ca.crt');
    const started = await startEmbeddedAzure({
      caFile,
      issuerCas: [kube.caPem],
      audiences: [secretsAudience],
      arm: { alwaysRetryAfter: true, rollingBatchMs: batchMs },
    });
    stack.defer(() => started.close());
    note(`ARM ${started.endpoints.arm}, Entra ID ${started.endpoints.aad}`);
    return started;
  });
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(kubeconfig, kube.adminKubeconfig, { mode: 0o600 });
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  stack.defer(() => client.close());
  // No pod may have the node's address: on a computer with a single loopback address, the pod has that one.
  const node = { name: 'laptop', ip: '127.10.0.1' };
  const atEnd = (close: () => Promise<void>) => stack.defer(close);
  return { progress, directory, signal, kube, azure, client, applier: new Applier(client), node, atEnd };
}

/** Applies the manifests and returns the workload of each program. */
async function applyManifests(
  { progress, client, applier }: DemoWorld,
  files: readonly string[],
): Promise<Record<ProgramName, KubeObject>> {
  return progress.step('Apply them to the cluster', async (note) => {
    const objects = await readManifests(files);
    for (const object of objects) await applier.apply(object);
    const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    await definitionsEstablished(
      client,
      definitions.map(({ metadata }) => metadata.name),
    );
    note(`${objects.length} objects, ${definitions.length} of them definitions of kinds`);
    return {
      operator: only(objects, 'Deployment', 'azimuth-operator'),
      identity: only(objects, 'Deployment', 'azimuth-identity'),
      nmi: only(objects, 'DaemonSet', 'azimuth-nmi'),
      volumes: only(objects, 'DaemonSet', 'azimuth-volumes'),
      secrets: only(objects, 'Deployment', 'azimuth-secrets'),
    };
  });
}

/** Runs the operator under its own service account, which owns the subscription. */
async function startOperator(world: DemoWorld, workload: KubeObject): Promise<LocalProgram> {
  const { progress, azure } = world;
  return progress.step('Run the operator as its service account', async (note) => {
    const subscription = `/subscriptions/${azure.subscriptionId}`;
    const vaults = `${subscription}/resourceGroups/${machinesGroup}`;
    await createSettings(world, workload, [
      { role: 'Owner', scope: subscription },
      { role: 'Key Vault Secrets Officer', scope: vaults },
      { role: 'Key Vault Certificates Officer', scope: vaults },
    ]);
    const env = { AZIMUTH_INSTANCES_READ_PERIOD: `${instancesReadMs}ms` };
    const started = await startProgram(world, workload, { env });
    await started.ready();
    note(`${started.account}, no secret of its own`);
    return started;
  });
}

/** Shows an application with its Azure resources; returns their number. */
async function showOperator(world: DemoWorld, operator: LocalProgram): Promise<number> {
  const { progress, directory, signal, azure, client, applier } = world;
  const files = [manifestOf('application'), manifestOf('vault')];
  const objects = await readManifests(files, { tenantId: azure.tenantId });
  const resources: Followed[] = [];
  await progress.step('Apply an application and the Azure resources it needs', async (note) => {
    for (const object of objects) {
      await applier.apply(object);
      if (!object.apiVersion.split('/')[0]?.endsWith('.azure.com')) continue;
      const { namespace = 'default', name } = object.metadata;
      resources.push({ type: await applier.typeOf(object), namespace, name });
    }
    note(`${resources.length} custom resources, in no particular order`);
  });

  const deployment = only(objects, 'Deployment', 'photos');
  const app = await client.get(await applier.typeOf(deployment), deployment.metadata);
  await progress.step('Make the Azure resources', async (note) => {
    let ready = 0;
    const report = ({ type, name }: Followed, text: string, isReady: boolean) => {
      if (isReady) ready += 1;
      progress.line(`    ${`${type.kind} ${name}`.padEnd(52)} ${text}`);
      note(`${ready} of ${resources.length} ready`);
    };
    await Promise.race([
      Promise.all([followUntilReady(client, resources, report, signal), secretAppears(world, app)]),
      operator.process.failure(signal),
    ]);
  });

  await progress.step('Start the application', async (note) => {
    const { command, args, env } = await resolveContainer(client, app, join(directory, 'application'));
    note((await run([...command, ...args], { cwd: directory, env, signal })).trim());
  });
  return resources.length;
}

/** Reports the resources that the application still waits for, until none is missing. */
async function secretAppears({ client, progress, signal }: DemoWorld, app: KubeObject): Promise<void> {
  let reported = '';
  while (!signal.aborted) {
    try {
      await resolveContainer(client, app, '');
      progress.line(`    ${`Deployment ${app.metadata.name}`.padEnd(52)} has all it needs`);
      return;
    } catch (error) {
      if (!(error instanceof AzimuthError) || error.code !== 'AZ_REFERENCE_MISSING') throw error;
      const text = messageOf(error);
      if (text !== reported) progress.line(`    ${`Deployment ${app.metadata.name}`.padEnd(52)} waits: ${text}`);
      reported = text;
    }
    await new Promise((resolve) => setTimeout(resolve, APPLICATION_POLL_MS));
  }
  throw signal.reason;
}

function only(objects: readonly KubeObject[], kind: string, name: string): KubeObject {
  const object = objects.find((candidate) => candidate.kind === kind && candidate.metadata.name === name);
  if (!object) throw new AzimuthError('AZ_CONFIG_INVALID', `The manifests have no ${kind} ${name}`);
  return object;
}
