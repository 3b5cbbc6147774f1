import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stringify } from 'yaml';
import { AzimuthError, messageOf } from '../../base/errors.ts';
import { createKubeClient } from '../../kube/client.ts';
import { loadKubeConnection } from '../../kube/kubeconfig.ts';
import type { KubeClient, KubeObject } from '../../kube/types.ts';
import { type EmbeddedAzure, startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { type EmbeddedKube, startEmbeddedKube } from '../../sandbox/kube/index.ts';
import { Applier, definitionsEstablished, readManifests } from './apply.ts';
import { type Followed, followUntilReady } from './follow.ts';
import { freePort } from './free-port.ts';
import { resolveContainer, secrets } from './local-container.ts';
import { OperatorProcess } from './operator-process.ts';
import type { Progress } from './progress.ts';

export interface DemoOptions {
  readonly progress: Progress;
  /** Where kubeconfigs, certificates and logs go; emptied first. */
  readonly directory: string;
  /** Ends the demonstration early. */
  readonly signal: AbortSignal;
  /** Called when everything is up, before it is taken down. */
  readonly whileUp?: (up: DemoSummary) => Promise<void>;
}

export interface DemoSummary {
  readonly kubeconfig: string;
  readonly manifests: readonly string[];
  readonly operatorLog: string;
  /** Base URL of the operator's health and metrics. */
  readonly operatorHealth: string;
  readonly resources: number;
  readonly azureWrites: number;
  readonly reusedTokens: number;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
const application = fileURLToPath(new URL('application.yaml', import.meta.url));
const APPLICATION_POLL_MS = 200;
/** What a user with this application would choose: the operator serves these, and the API server holds no more. */
export const demoKinds = ['resources', 'storage', 'managedidentity', 'authorization']
  .map((group) => `${group}.azure.com/*`)
  .join(';');

/** The main loop on real parts: synthesized manifests, the operator under its own service account, an application. */
export async function runDemo(options: DemoOptions): Promise<DemoSummary> {
  const { progress, directory, signal } = options;
  await rm(directory, { recursive: true, force: true });
  await mkdir(directory, { recursive: true });
  const file = async (name: string, content: string) => {
    await writeFile(join(directory, name), content, { mode: 0o600 });
    return join(directory, name);
  };
  await using stack = new AsyncDisposableStack();

  const manifests = await progress.step('Synthesize the manifests', async (note) => {
    const output = join(directory, 'dist');
    await run('node', ['main.ts'], root, { AZIMUTH_KINDS: demoKinds, CDK8S_OUTDIR: output });
    const names = (await readdir(output)).filter((name) => name.endsWith('.k8s.yaml')).sort();
    note(`${names.join(', ')} for ${demoKinds}`);
    return names.map((name) => join(output, name));
  });

  const kube = await progress.step('Start the embedded Kubernetes API', async (note) => {
    const started = await startEmbeddedKube();
    stack.defer(() => started.close());
    note(started.url);
    return started;
  });
  const azure = await progress.step('Start the embedded Azure', async (note) => {
    const started = await startEmbeddedAzure({ caFile: join(directory, 'azure-ca.crt'), issuerCas: [kube.caPem] });
    stack.defer(() => started.close());
    note(`ARM ${started.endpoints.arm}, AAD ${started.endpoints.aad}`);
    return started;
  });
  const kubeconfig = await file('kubeconfig', kube.adminKubeconfig);
  const client = createKubeClient(loadKubeConnection({ kubeconfig }));
  stack.defer(() => client.close());
  const applier = new Applier(client);

  const deployment = await progress.step('Apply them to the cluster', async (note) => {
    const objects = await readManifests(manifests);
    for (const object of objects) await applier.apply(object);
    const definitions = objects.filter(({ kind }) => kind === 'CustomResourceDefinition');
    await definitionsEstablished(
      client,
      definitions.map(({ metadata }) => metadata.name),
    );
    note(`${objects.length} objects, ${definitions.length} of them definitions of kinds`);
    return only(objects, 'Deployment');
  });

  const operator = await progress.step('Run the operator as its service account', async (note) => {
    await createSettings(client, deployment, kube, azure);
    const started = await startOperator(client, deployment, kube, azure, directory);
    stack.defer(() => started.stop());
    await started.ready(started.healthPort);
    note(
      `system:serviceaccount:${deployment.metadata.namespace}:${deployment['spec'].template.spec.serviceAccountName}, no secret of its own`,
    );
    return started;
  });

  const objects = await readManifests([application]);
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

  const app = await client.get(await applier.typeOf(only(objects, 'Deployment')), only(objects, 'Deployment').metadata);
  await progress.step('Make the Azure resources', async (note) => {
    let ready = 0;
    const tell = ({ type, name }: Followed, text: string, isReady: boolean) => {
      if (isReady) ready += 1;
      progress.line(`    ${`${type.kind} ${name}`.padEnd(52)} ${text}`);
      note(`${ready} of ${resources.length} ready`);
    };
    await Promise.race([
      Promise.all([followUntilReady(client, resources, tell, signal), secretAppears(client, app, progress, signal)]),
      operator.failure(signal),
    ]);
  });

  await progress.step('Start the application', async (note) => {
    const { command, args, env } = await resolveContainer(client, app, join(directory, 'application'));
    const output = await run(command[0] as string, [...command.slice(1), ...args], directory, { ...env });
    note(output.trim());
  });

  const writes = azure.journal.entries({ service: 'arm', effective: true });
  const summary: DemoSummary = {
    kubeconfig,
    manifests: manifests.map((path) => relative(process.cwd(), path)),
    operatorLog: operator.logFile,
    operatorHealth: `http://127.0.0.1:${operator.healthPort}`,
    resources: resources.length,
    azureWrites: writes.length,
    reusedTokens: azure.journal.reusedTokens().length,
  };
  await options.whileUp?.(summary);
  return summary;
}

/** What `pulumi up` or a platform engineer provides: ids, and a trust in the operator's service account. */
async function createSettings(
  client: KubeClient,
  deployment: KubeObject,
  kube: EmbeddedKube,
  azure: EmbeddedAzure,
): Promise<void> {
  const { namespace } = deployment.metadata;
  const { serviceAccountName, containers } = deployment['spec'].template.spec;
  const app = azure.registerApp({
    displayName: 'azimuth-operator',
    secret: null,
    federated: [
      {
        issuer: kube.issuerUrl,
        subject: `system:serviceaccount:${namespace}:${serviceAccountName}`,
        audiences: ['api://AzureADTokenExchange'],
      },
    ],
    roles: [{ role: 'Owner', scope: `/subscriptions/${azure.subscriptionId}` }],
  });
  const { NODE_EXTRA_CA_CERTS: _, AZURE_POD_IDENTITY_AUTHORITY_HOST: __, ...settings } = azure.env(app);
  await client.create(secrets, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: containers[0].envFrom[0].secretRef.name, namespace },
    stringData: settings,
  });
}

async function startOperator(
  client: KubeClient,
  deployment: KubeObject,
  kube: EmbeddedKube,
  azure: EmbeddedAzure,
  directory: string,
): Promise<OperatorProcess & { readonly healthPort: number }> {
  const { args, env, hostPath } = await resolveContainer(client, deployment, join(directory, 'operator'));
  const kubeconfig = join(directory, 'operator.kubeconfig');
  await writeFile(
    kubeconfig,
    stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'operator',
      contexts: [{ name: 'operator', context: { cluster: 'sandbox', user: 'operator' } }],
      clusters: [
        {
          name: 'sandbox',
          cluster: { server: kube.url, 'certificate-authority-data': Buffer.from(kube.caPem).toString('base64') },
        },
      ],
      users: [
        { name: 'operator', user: { tokenFile: hostPath('/var/run/secrets/kubernetes.io/serviceaccount/token') } },
      ],
    }),
    { mode: 0o600 },
  );
  const healthPort = await freePort();
  const own = {
    KUBECONFIG: kubeconfig,
    NODE_EXTRA_CA_CERTS: azure.caFile,
    NO_PROXY: 'localhost,127.0.0.1',
  };
  const process = new OperatorProcess(
    args.map((arg) => arg.replace(/^--health-port=\d+$/, `--health-port=${healthPort}`)),
    { ...env, ...own },
    join(directory, 'operator.log'),
  );
  return Object.assign(process, { healthPort });
}

/** Tells what the application still waits for, until nothing is missing. */
async function secretAppears(
  client: KubeClient,
  app: KubeObject,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    try {
      await resolveContainer(client, app, '');
      progress.line(`    ${`Deployment ${app.metadata.name}`.padEnd(52)} has all it needs`);
      return;
    } catch (error) {
      if (!(error instanceof AzimuthError) || error.code !== 'AZ_REFERENCE_MISSING') throw error;
      const text = messageOf(error);
      if (text !== told) progress.line(`    ${`Deployment ${app.metadata.name}`.padEnd(52)} waits: ${text}`);
      told = text;
    }
    await new Promise((resolve) => setTimeout(resolve, APPLICATION_POLL_MS));
  }
  throw signal.reason;
}

function only(objects: readonly KubeObject[], kind: string): KubeObject {
  const [object] = objects.filter((candidate) => candidate.kind === kind);
  if (!object) throw new AzimuthError('AZ_CONFIG_INVALID', `The manifests have no ${kind}`);
  return object;
}

/** Standard output of a program that must end with 0. */
async function run(
  program: string,
  args: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<string> {
  const executable = program === 'node' ? process.execPath : program;
  const child = spawn(executable, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new AzimuthError('AZ_TERMINAL', `${program} ${args[0]} ended with ${code}: ${stderr.trim()}`);
  return stdout;
}
