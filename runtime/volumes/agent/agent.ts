import { messageOf } from '../../base/errors.ts';
import type { HealthServer } from '../../base/observability/health.ts';
import { version } from '../../base/version.ts';
import type { Manager } from '../../kube/controller/manager.ts';
import type { ProviderServer } from '../csi/server.ts';
import { recordDirectory } from '../driver/mount-record.ts';
import { DriverWatcher, targetDirectoryOf } from '../install/watch-driver.ts';
import { isMounted } from '../mount/mounts.ts';
import type { DriverSettings } from '../options/settings.ts';
import { nodeDaemonAt } from '../vault/node-daemon-client.ts';
import { AgentServer } from './agent-server.ts';
import type { AgentConfig } from './config.ts';
import { DriverMemory } from './driver-memory.ts';
import { MountService } from './mount-service.ts';
import { NodePods, type NodePodsOptions } from './pods.ts';
import { VaultPool } from './pool/vault-pool.ts';
import { Refresher, type RefresherDeps } from './refresh/refresher.ts';
import { Renewals } from './refresh/renewals.ts';
import { Restarts } from './refresh/restarts.ts';
import { VolumeMetrics } from './volume-metrics.ts';

/** Dependencies of the node agent that its program creates, and that tests replace. */
export interface AgentDeps {
  readonly config: AgentConfig;
  /** The node's, as the driver has them. */
  readonly settings: DriverSettings;
  /** The same as text, to be put beside the driver. */
  readonly settingsText: string;
  readonly env: NodeJS.ProcessEnv;
  readonly manager: Manager;
  readonly health: HealthServer;
  readonly pods?: NodePodsOptions;
  /** For tests. */
  readonly refresh?: Partial<Pick<RefresherDeps, 'intervalMs' | 'mostRefreshedBytes' | 'random' | 'scanMs' | 'step'>>;
}

/** The node agent, wired and not yet started. */
export interface VolumesAgent {
  readonly mounts: MountService;
  readonly pods: NodePods;
  /** Resolves when drivers are answered. */
  readonly listening: Promise<void>;
  /** Installs the driver, listens and serves until the signal aborts. The driver stays installed. */
  run(stop: AbortSignal): Promise<void>;
}

/** The parts of the agent that its servers and its refresher share. */
interface SharedParts {
  readonly deps: AgentDeps;
  readonly metrics: VolumeMetrics;
  readonly pods: NodePods;
  readonly vaults: VaultPool;
  readonly mounts: MountService;
}

/** Wires the node agent from its parts. Starts nothing. */
export function createVolumesAgent(deps: AgentDeps): VolumesAgent {
  const { config, manager, health } = deps;
  const shared = sharedParts(deps);
  const { mounts, pods, vaults } = shared;
  const server = driverServer(shared);
  const driver = driverWatcher(shared);
  let provider: ProviderServer | undefined;
  if (config.csiSocket !== undefined) {
    health.addReadiness('csi', () => (provider ? undefined : 'the CSI driver is not answered yet'));
  }
  const refresher = createRefresher(shared);
  manager.addTask((stop) => refresher.run(stop));
  health.addReadiness('socket', () => (server.listening ? undefined : 'drivers are not answered yet'));
  if (driver) health.addReadiness('driver', () => driver.problem);

  const { log } = manager.runtime;
  const listening = Promise.withResolvers<void>();
  listening.promise.catch(() => undefined);
  return {
    mounts,
    pods,
    listening: listening.promise,
    async run(stop) {
      try {
        // Before the driver, whose settings name the agent's socket.
        await server.listen();
        if (config.csiSocket !== undefined) provider = await serveCsi(shared, config.csiSocket);
        // A driver of an earlier install may exist, and its pods need the agent.
        await driver?.install().catch((error) => {
          log.error({ error: messageOf(error) }, 'the driver cannot be installed');
        });
        listening.resolve();
        log.info({ socket: config.socket }, 'drivers are answered');
        await Promise.all([manager.run(stop), driver?.watch(stop)]);
      } catch (error) {
        log.error({ error: messageOf(error) }, 'the agent ends');
        listening.reject(error);
        throw error;
      } finally {
        await Promise.all([server.close(), provider?.close()]);
        await vaults.close();
      }
    },
  };
}

function sharedParts(deps: AgentDeps): SharedParts {
  const { config, settings, env, manager } = deps;
  const { clock, metrics } = manager.runtime;
  const { identityScopes } = config;
  const pods = new NodePods(manager, config.node, clock, deps.pods);
  const nodeDaemon = nodeDaemonAt(config.nmiSocket);
  const vaults = new VaultPool({ settings, env, clock, nodeDaemon, identityScopes });
  const mounts = new MountService({ pods, vaults, settings, authenticateMachines: identityScopes !== undefined });
  return { deps, metrics: new VolumeMetrics(metrics), pods, vaults, mounts };
}

/** The server of the FlexVolume drivers. */
function driverServer({ deps, metrics, mounts }: SharedParts): AgentServer {
  const { log } = deps.manager.runtime;
  return new AgentServer({
    socket: deps.config.socket,
    mount: (call, signal, deliver) => mounts.mount(call, signal, deliver),
    onAnswer: ({ directory }, reason, ms) => {
      metrics.mount(reason === undefined ? 'mounted' : 'failed', ms);
      if (reason === undefined) log.debug({ directory, ms }, 'a volume was answered');
      else log.info({ directory, ms, reason }, 'a volume was refused');
    },
  });
}

/** Keeps the driver installed; undefined where the agent does not install it. */
function driverWatcher({ deps, metrics }: SharedParts): DriverWatcher | undefined {
  const { config, settingsText, manager } = deps;
  const { clock, log } = manager.runtime;
  if (!config.install) return undefined;
  return new DriverWatcher({
    install: {
      targetDirectory: targetDirectoryOf(config.targetDirectory, config.hostRoot),
      source: config.source,
      settings: settingsText,
    },
    intervalMs: config.intervalMs,
    clock,
    log,
    onCheck({ installed, changed }) {
      metrics.installed(installed);
      if (changed) metrics.repaired();
    },
  });
}

/** Serves the CSI provider. Loads gRPC only where it is enabled. */
async function serveCsi({ deps, metrics, pods, vaults, mounts }: SharedParts, socket: string): Promise<ProviderServer> {
  const { config, settings, env, manager } = deps;
  const { clock, log } = manager.runtime;
  const { serveProvider } = await import('../csi/server.ts');
  const memory = new DriverMemory({ most: config.csiNodeVolumeBytes, pods });
  return serveProvider({
    socket,
    runtimeVersion: version,
    vaults,
    deadlineSeconds: settings.deadlineSeconds,
    separateFiles: config.csiSeparateFiles,
    cloud: {
      cloud: settings.cloud,
      cloudFile: settings.environment['AZURE_ENVIRONMENT_FILEPATH'] || env['AZURE_ENVIRONMENT_FILEPATH'],
    },
    authenticate: async (request, signal) => {
      const { pod } = await mounts.authenticated(request, request.pod.uid || undefined, signal);
      // The driver has the namespace from kubelet, which is enough where no identity depends on it.
      return pod.namespace === '' ? request.pod : pod;
    },
    reserve: (...answer) => memory.reserve(...answer),
    onAnswer: (result, ms) => metrics.mount(result, ms),
    log,
    clock,
  });
}

/** Refreshes the volumes of this node, and restarts or renews what their pods ask for. */
function createRefresher({ deps, metrics, pods, vaults, mounts }: SharedParts): Refresher {
  const { config, settings, manager } = deps;
  const { client, clock, log } = manager.runtime;
  const { events } = manager;
  return new Refresher({
    records: recordDirectory(config.socket),
    pods,
    vaults,
    service: mounts,
    mounts: { isMounted },
    restarts: new Restarts({ client, events, metrics, namespaces: config.restartNamespaces }),
    renewals: new Renewals({ client, secrets: config.renewableSecrets }),
    settings,
    metrics,
    events,
    clock,
    log,
    intervalMs: config.refreshIntervalMs,
    ...deps.refresh,
  });
}
