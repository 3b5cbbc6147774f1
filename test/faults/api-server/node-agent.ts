import { chmodSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { podsType } from '../../../runtime/volumes/agent/pods.ts';
import { askAgent } from '../../../runtime/volumes/driver/agent-client.ts';
import { until, waitMs } from '../../fakes/eventually.ts';
import type { ApiWorld } from './api-world.ts';

const namespace = 'app';
/** Longer than the agent waits for a pod. */
const timeoutMs = 20_000;

/** What came of a volume: the agent took the pod as its own, or refused it. */
type Authentication = 'authenticated' | 'refused';

/** What the node daemon answers, which is asked for authenticated pods only. */
const answer = 'a token was asked for';

/** `azimuth volumes` of one node, without a driver or a vault, and with a node daemon that has no token. */
export class NodeAgent implements AsyncDisposable {
  readonly #world: ApiWorld;
  readonly #socket: string;
  readonly #node: string;
  readonly #daemon: Server;

  private constructor(world: ApiWorld, socket: string, node: string, daemon: Server) {
    this.#daemon = daemon;
    this.#world = world;
    this.#socket = socket;
    this.#node = node;
  }

  static async start(world: ApiWorld, bin: string, kubeconfig: string, node: string): Promise<NodeAgent> {
    const daemon = createServer((_, response) => {
      response.writeHead(403, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: 'forbidden', error_description: answer }));
    });
    const daemonSocket = join(world.directory, 'nmi.sock');
    await new Promise<void>((resolve) => daemon.listen(daemonSocket, resolve));
    chmodSync(daemonSocket, 0o600);
    const socket = join(world.directory, 'agent', 'agent.sock');
    await world.startProgram(bin, 'volumes', kubeconfig, [
      `--node=${node}`,
      '--install=false',
      '--metrics-port=off',
      `--socket=${socket}`,
      `--nmi-socket=${daemonSocket}`,
    ]);
    return new NodeAgent(world, socket, node, daemon);
  }

  /** Creates a pod of the node; gives its uid. */
  async createPod(name: string): Promise<string> {
    await this.#world.pod(name, undefined, this.#node);
    const { metadata } = await this.#world.client.get(podsType, { namespace, name });
    return metadata.uid ?? '';
  }

  /** Waits until a volume of the pod has this answer. */
  async until(expected: Authentication, name: string, uid: string, limitMs = waitMs): Promise<void> {
    await until(`${name} is ${expected}`, async () => (await this.#ask(name, uid)) === expected, limitMs);
  }

  /** Asks for a volume with the identity of a pod, as the driver does. Throws where the answer shows neither. */
  async #ask(name: string, uid: string): Promise<Authentication> {
    const document = JSON.stringify({
      usepodidentity: 'true',
      tenantid: this.#world.azure.tenantId,
      keyvaultname: 'azimuth-vault',
      keyvaultobjectnames: 'one',
      keyvaultobjecttypes: 'secret',
      'kubernetes.io/pod.name': name,
      'kubernetes.io/pod.namespace': namespace,
      'kubernetes.io/pod.uid': uid,
    });
    const call = { directory: `/var/lib/kubelet/pods/${uid}/volumes/azure~kv/vault`, document };
    const options = { socket: this.#socket, timeoutMs, signal: new AbortController().signal };
    const message = await askAgent(call, options).then(
      () => 'a volume',
      (error: Error) => error.message,
    );
    if (message.includes(`no pod of this node has the uid ${uid}`)) return 'refused';
    if (message.includes(answer)) return 'authenticated';
    throw new Error(`Expected the answer of the node daemon or an unknown pod, got ${message}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#daemon.closeAllConnections();
    await new Promise((resolve) => this.#daemon.close(resolve));
  }
}
