import { createServer } from 'node:net';
import { join } from 'node:path';
import { moduleFile } from '../../../base/process/module-file.ts';
import { podsType } from '../../../identity/objects.ts';
import type { KubeObject } from '../../../kube/client/types.ts';
import { run } from '../programs/run.ts';
import type { DemoWorld } from '../world.ts';
import { resolveContainer } from './local-container.ts';

const network = moduleFile(import.meta.url, './pod-network.ts').href;
/** Where the pods find `@azure/identity`: this repository, or the project that has the package installed. */
const workingDirectory = network.endsWith('.ts') ? join(import.meta.dirname, '../../../..') : process.cwd();

/** A pod of the cluster whose first container is a process on this computer. */
export interface LocalPod {
  readonly ip: string;
  /** The pod as the API server has it. */
  readonly pod: KubeObject;
  /**
   * Runs the container to its end and returns its output. `metadata` is the address of its node's daemon, if there is
   * one.
   */
  run(metadata?: string): Promise<string>;
}

/** Acts as scheduler and kubelet: sets the pod's node and address, and reports it as running. */
export async function startLocalPod(world: DemoWorld, manifest: KubeObject, address: string): Promise<LocalPod> {
  const { client, directory, node, signal } = world;
  const ip = await podAddress(address);
  const pod = await client.create(podsType, { ...manifest, spec: { ...manifest['spec'], nodeName: node.name } });
  const status = { phase: 'Running', hostIP: node.ip, podIP: ip, podIPs: [{ ip }] };
  await client.replace(podsType, { ...pod, status }, { subresource: 'status' });
  return {
    ip,
    pod,
    async run(metadata) {
      const { command, args, env } = await resolveContainer(client, pod, join(directory, pod.metadata.name), node);
      const own = {
        AZIMUTH_POD_IP: ip,
        NODE_OPTIONS: `--import=${network} --disable-warning=ExperimentalWarning`,
        // On a node, the redirection replaces this; @azure/identity reads another address from this variable.
        ...(metadata !== undefined && { AZURE_POD_IDENTITY_AUTHORITY_HOST: metadata }),
        NO_PROXY: 'localhost,127.0.0.1',
      };
      return run([...command, ...args], { cwd: workingDirectory, env: { ...env, ...own }, signal });
    },
  };
}

/** The address itself where this computer has all of 127.0.0.0/8, as Linux and Windows do; else 127.0.0.1. */
async function podAddress(wanted: string): Promise<string> {
  const server = createServer();
  const has = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false)).listen(0, wanted, () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return has ? wanted : '127.0.0.1';
}
