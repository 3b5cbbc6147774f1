/**
 * A thread that uses what the platform offers and takes the time: the thread of the runner works for the attacks, which
 * would be measured too.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { kindOf, resourceOf } from '../../../runtime/api/kinds.ts';
import { createKubeClient } from '../../../runtime/kube/client/client.ts';
import type { KubeClient, KubeObject, ResourceType } from '../../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../../runtime/kube/config/kubeconfig.ts';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { condition } from '../../operator/support.ts';
import { askForToken } from './token-request.ts';

/** How often each thing is done in one measurement. */
export interface Counts {
  readonly tokens: number;
  readonly resources: number;
  readonly mounts: number;
}

/** The work of the thread. */
export interface MeterInput {
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Begins the names of the resources, which must be new. */
  readonly prefix: string;
  readonly metadata: string;
  /** Address of the pod. */
  readonly ip: string;
  readonly agentSocket: string;
  /** URL of the reference server. */
  readonly reference: string;
  /** What the driver sends to the node agent. */
  readonly mount: { readonly directory: string; readonly document: string };
  readonly counts: Counts;
}

/** Milliseconds of each time, ascending, and what failed. */
export type MeterOutput = Readonly<Record<keyof Counts, readonly number[]>> & {
  /** Requests to the reference server. */
  readonly reference: readonly number[];
  readonly lost: readonly string[];
};

const identities: ResourceType = resourceOf(kindOf('managedidentity.azure.com', 'UserAssignedIdentity'));
const limitMs = 120_000;
const input = workerData as MeterInput;
const lost: string[] = [];

/** Does the work so often, a hundredth of a second apart; the times, ascending. */
async function repeat(count: number, work: (turn: number) => Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; turn < count; turn++) {
    const started = performance.now();
    await work(turn).catch((error: Error) => lost.push(error.message));
    times.push(performance.now() - started);
    await pause(10);
  }
  return times.sort((a, b) => a - b);
}

/** Creates a resource and watches it until it is Ready. */
async function becomesReady(client: KubeClient, name: string): Promise<void> {
  const { namespace } = input;
  const spec = { location: 'westeurope', owner: { name: namespace } };
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

const client = createKubeClient(loadKubeConnection({ kubeconfig: input.kubeconfig }));
const { counts, metadata, ip, agentSocket: socket, mount } = input;
const [tokens, resources, mounts, reference] = await Promise.all([
  repeat(counts.tokens, async () => {
    const { status, body } = await askForToken(metadata, ip);
    if (status !== 200) throw new Error(`a token: ${status} ${body.slice(0, 200)}`);
  }),
  repeat(counts.resources, (turn) => becomesReady(client, `${input.prefix}${turn}`)),
  repeat(counts.mounts, () => askAgent(mount, { socket, timeoutMs: limitMs, signal: AbortSignal.timeout(limitMs) })),
  repeat(counts.tokens, () => fetch(input.reference).then((answer) => answer.text())),
]);
await client.close();
parentPort?.postMessage({ tokens, resources, mounts, reference, lost } satisfies MeterOutput);
