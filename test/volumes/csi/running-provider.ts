import { join } from 'node:path';
import { createLogger } from '../../../runtime/base/observability/log.ts';
import { type ProviderServerDeps, serveProvider } from '../../../runtime/volumes/csi/server.ts';
import { podsType } from '../../nmi/harness.ts';
import { vaultName } from '../support.ts';
import { ProviderClient } from './client.ts';
import { type ProviderWorld, startProviderWorld } from './provider-world.ts';

/** A provider at a socket of its own, with what it reads and a client. */
export interface RunningProvider extends ProviderWorld {
  readonly socket: string;
  readonly client: ProviderClient;
  /** Log lines since the last `reset`. */
  readonly logged: string;
  /** The options of this provider, to serve another one. */
  options(): ProviderServerDeps;
  /** The attributes of a volume, as kubelet and the driver make them of a pod and its SecretProviderClass. */
  attributes(objects: string, change?: Record<string, string>): Record<string, string>;
  /** The Secret of a service principal that may read the vault. */
  principal(): { readonly secrets: Record<string, string> };
  /** Ends faults of Azure and forgets log lines. */
  reset(): void;
}

/** Starts a vault, a cluster, a node daemon and a provider: ten seconds of CPU. */
export async function startProvider(): Promise<RunningProvider> {
  const world = await startProviderWorld();
  const { bench, daemon, vaults } = world;
  const socket = join(bench.directory, 'providers', 'azure.sock');
  let logged = '';
  const write = (line: string) => {
    logged += line;
  };
  const options = () => ({
    socket,
    runtimeVersion: '0.1.0',
    vaults,
    deadlineSeconds: 60,
    log: createLogger('test', { destination: { write } }),
  });
  const server = await serveProvider(options());
  const client = new ProviderClient(socket);
  return {
    ...world,
    socket,
    client,
    get logged() {
      return logged;
    },
    options,
    attributes: (objects, change = {}) => ({
      keyvaultName: vaultName,
      tenantId: bench.azure.tenantId,
      objects,
      secretProviderClass: 'vault',
      'csi.storage.k8s.io/pod.name': 'p',
      'csi.storage.k8s.io/pod.namespace': 'app',
      'csi.storage.k8s.io/pod.uid': daemon.kube.all(podsType)[0]?.metadata.uid ?? '',
      'csi.storage.k8s.io/serviceAccount.name': 'default',
      'csi.storage.k8s.io/ephemeral': 'true',
      ...change,
    }),
    principal: () => ({ secrets: { clientid: bench.app.clientId, clientsecret: bench.app.secret } }),
    reset() {
      bench.azure.faults.clear();
      logged = '';
    },
    async close() {
      client.close();
      await server.close();
      await world.close();
    },
  };
}
