import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { assignedType } from '../../identity/objects.ts';
import { configMapsType } from '../../kube/client/core-types.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import { eventsType } from '../../kube/events/event-object.ts';
import { readManifests } from './apply.ts';
import { makeClusterNode, NODE_GROUP } from './pods/cluster-node.ts';
import { startLocalPod } from './pods/local-pod.ts';
import { freePort } from './programs/free-port.ts';
import { createSettings, type LocalProgram, startProgram } from './programs/program.ts';
import type { DemoWorld } from './world.ts';

const manifest = fileURLToPath(new URL('pod-identity.yaml', import.meta.url));
const POD_ADDRESS = '127.10.0.11';
const POLL_MS = 50;

/** The two programs of pod identity, started and perhaps not ready yet. */
export interface PodIdentityPrograms {
  readonly identity: LocalProgram;
  readonly nmi: LocalProgram;
  /** The address of the node daemon. */
  readonly metadata: string;
  /** The socket on which the daemon serves callers on the node. */
  readonly hostSocket: string;
}

/**
 * Starts the identity controller and the node daemon of this node from the manifests. `identities` is the resource group
 * of the pods' identities.
 */
export async function startPodIdentity(
  world: DemoWorld,
  controller: KubeObject,
  daemon: KubeObject,
  identities: string,
): Promise<PodIdentityPrograms> {
  const { azure } = world;
  await makeClusterNode(world);
  const scope = (group: string) => `/subscriptions/${azure.subscriptionId}/resourceGroups/${group}`;
  await createSettings(world, controller, [
    { role: 'Virtual Machine Contributor', scope: scope(NODE_GROUP) },
    { role: 'Managed Identity Operator', scope: scope(identities) },
  ]);
  const [identity, daemonHere] = await Promise.all([startProgram(world, controller), startNodeDaemon(world, daemon)]);
  return { identity, ...daemonHere };
}

/**
 * Starts the node daemon of the manifests, with additional arguments; pods of this computer reach it at the returned
 * address.
 */
export async function startNodeDaemon(
  world: DemoWorld,
  daemon: KubeObject,
  args: readonly string[] = [],
): Promise<Omit<PodIdentityPrograms, 'identity'>> {
  const { azure } = world;
  const {
    AZURE_AUTHORITY_HOST = '',
    AZURE_RESOURCE_MANAGER_ENDPOINT = '',
    AZURE_RESOURCE_MANAGER_AUDIENCE = '',
  } = azure.env();
  const port = await freePort();
  // A socket's path must be short.
  const run = await mkdtemp(join(tmpdir(), 'azimuth-'));
  world.atEnd(() => rm(run, { recursive: true, force: true }));
  const hostSocket = join(run, 'nmi.sock');
  const nmi = await startProgram(world, daemon, {
    // No redirection, which needs root: pods get the address of the daemon instead.
    args: [
      '--iptables=off',
      `--nmi-port=${port}`,
      `--imds-endpoint=${azure.endpoints.imds}`,
      `--host-socket=${hostSocket}`,
      ...args,
    ],
    env: { AZURE_AUTHORITY_HOST, AZURE_RESOURCE_MANAGER_ENDPOINT, AZURE_RESOURCE_MANAGER_AUDIENCE },
  });
  return { nmi, metadata: `http://127.0.0.1:${port}`, hostSocket };
}

/**
 * Binds the application's identity to a pod. The pod requests a token at once and gets it when the binding is ready.
 */
export async function showPodIdentity(world: DemoWorld, { identity, nmi, metadata }: PodIdentityPrograms) {
  const { progress, client, azure, applier, signal } = world;
  await progress.step('Run the identity controller and the node daemon as their service accounts', async (note) => {
    await Promise.all([identity.ready(), nmi.ready()]);
    note(`${identity.account} and ${nmi.account}`);
  });
  await progress.step(
    'Give the identity to a pod, which signs in with the unmodified @azure/identity',
    async (note) => {
      const { data } = await client.get(configMapsType, { namespace: 'demo', name: 'photos-identity' });
      const resourceId = `/subscriptions/${azure.subscriptionId}/resourceGroups/photos/providers/Microsoft.ManagedIdentity/userAssignedIdentities/photos`;
      const objects = await readManifests([manifest], { resourceId, clientId: data.clientId });
      const pod = objects.find(({ kind }) => kind === 'Pod') as KubeObject;
      const local = await startLocalPod(world, pod, POD_ADDRESS);
      report(world, `Pod ${pod.metadata.name}`, `asks for a token from ${local.ip}`);
      const output = local.run(metadata);
      output.catch(() => undefined);
      for (const object of objects) if (object !== pod) await applier.apply(object);
      const done = new AbortController();
      await Promise.race([
        Promise.all([output, followAssignment(world, pod)]),
        identity.process.failure(AbortSignal.any([signal, done.signal])),
        nmi.process.failure(AbortSignal.any([signal, done.signal])),
      ]);
      done.abort();
      await auditTrail(world);
      note((await output).trim());
    },
  );
}

/** Shows each state of the pod's AzureAssignedIdentity until it is Assigned. */
async function followAssignment(world: DemoWorld, pod: KubeObject): Promise<void> {
  let reported = '';
  while (!world.signal.aborted) {
    const { items } = await world.client.list(assignedType);
    const mine = items.find(({ spec }) => spec.pod === pod.metadata.name);
    const state: string = mine?.['status']?.status ?? '';
    if (mine && state !== reported) report(world, `AzureAssignedIdentity ${mine.metadata.name}`, state);
    if (state === 'Assigned') return;
    reported = state;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw world.signal.reason;
}

/** Shows the event that the issued token left on the binding. */
async function auditTrail(world: DemoWorld): Promise<void> {
  while (!world.signal.aborted) {
    const { items } = await world.client.list(eventsType, { namespace: 'demo' });
    const issued = items.find(({ reason }) => reason === 'TokenIssued');
    if (issued) return report(world, `Event TokenIssued on ${issued['regarding'].kind}`, issued['note']);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw world.signal.reason;
}

function report({ progress }: DemoWorld, what: string, text: string): void {
  progress.line(`    ${what.padEnd(52)} ${text}`);
}
