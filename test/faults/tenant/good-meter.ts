/** Uses what the platform offers as the good tenant, and takes the time, in a process that does nothing else. */
import { setTimeout as pause } from 'node:timers/promises';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { condition } from '../../operator/support.ts';
import { serveJobs } from './child-jobs.ts';
import { askForToken } from './token-request.ts';

/** How often each thing is done at least in one measurement. */
export interface Counts {
  readonly tokens: number;
  readonly ready: number;
  readonly mounts: number;
}

/** One measurement. */
export interface MeterInput {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Begins the names of the resources, which must be new. */
  readonly prefix: string;
  readonly metadata: string;
  /** Address of the pod. */
  readonly ip: string;
  readonly agentSocket: string;
  /** What the driver sends to the node agent. */
  readonly mount: { readonly directory: string; readonly document: string };
  readonly counts: Counts;
}

/** Milliseconds of each use in their order, and what failed. */
export type MeterOutput = Readonly<Record<keyof Counts, readonly number[]>> & {
  readonly lost: readonly string[];
};

const identities: ResourceType = resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'));
const limitMs = 120_000;
/**
 * Least time between the beginnings of two uses; of resources, in one region: ARM takes ten writes a second of each.
 */
const everyMs = { tokens: 0, ready: 110, mounts: 0 } as const;
/** Regions in which resources are created at the same time. */
const regions = ['westeurope', 'northeurope', 'uksouth'] as const;

/** Creates a resource and watches it until it is Ready. */
async function becomesReady(client: KubeClient, namespace: string, name: string, location: string): Promise<void> {
  const spec = { location, owner: { name: namespace } };
  const apiVersion = `${identities.group}/${identities.version}`;
  const object = { apiVersion, kind: identities.kind, metadata: { namespace, name }, spec } as KubeObject;
  const { metadata } = await client.create(identities, object);
  const watched = {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: metadata.resourceVersion ?? '',
  };
  const signal = AbortSignal.timeout(limitMs);
  try {
    for await (const event of client.watch(identities, { ...watched, signal })) {
      if ('object' in event && condition(event.object as KubeObject)?.status === 'True') return;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  throw new Error(`${name} is not Ready`);
}

serveJobs<MeterInput, MeterOutput>(async function* measure(input) {
  const { counts, namespace, prefix, metadata, ip, agentSocket: socket, mount } = input;
  const client = createKubeClient(loadKubeConnection({ kubeconfig: input.kubeconfig }));
  const lost: string[] = [];
  const times = { tokens: [] as number[], ready: [] as number[], mounts: [] as number[] };
  let created = 0;
  const whats = ['tokens', 'ready', 'mounts'] as const;
  const enough = () => whats.every((what) => times[what].length >= counts[what]);
  // All go on until each was done often enough, so that each meets the same load all the time.
  const repeat = async (what: keyof typeof times, work: () => Promise<unknown>) => {
    while (!enough()) {
      const started = performance.now();
      await work().catch((error: Error) => lost.push(error.message));
      const took = performance.now() - started;
      times[what].push(took);
      await pause(Math.max(10, everyMs[what] - took));
    }
  };
  await Promise.all([
    repeat('tokens', async () => {
      const { status, body } = await askForToken(metadata, ip);
      if (status !== 200) throw new Error(`a token: ${status} ${body.slice(0, 200)}`);
    }),
    ...regions.map((region) => repeat('ready', () => becomesReady(client, namespace, `${prefix}${++created}`, region))),
    repeat('mounts', () => askAgent(mount, { socket, timeoutMs: limitMs, signal: AbortSignal.timeout(limitMs) })),
  ]);
  await client.close();
  yield { ...times, lost };
});
