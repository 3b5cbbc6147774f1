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

/** Wires the node agent from its parts. Starts nothing. */
export function createVolumesAgent(deps: AgentDeps): VolumesAgent {
  const { config, settings, env, manager, health } = deps;
  const { clock, log, metrics: registry } = manager.runtime;
  const metrics = new VolumeMetrics(registry);
  const pods = new NodePods(manager, config.node, clock, deps.pods);
  const { identityScopes } = config;
  const nodeDaemon = nodeDaemonAt(config.nmiSocket);
  const vaults = new VaultPool({ settings, env, clock, nodeDaemon, identityScopes });
  const mounts = new MountService({ pods, vaults, settings, authenticateMachines: identityScopes !== undefined });
  const server = new AgentServer({
    socket: config.socket,
    mount: (call, signal, deliver) => mounts.mount(call, signal, deliver),
    onAnswer: ({ directory }, reason, ms) => {
      metrics.mount(reason === undefined ? 'mounted' : 'failed', ms);
      if (reason === undefined) log.debug({ directory, ms }, 'a volume was answered');
      else log.info({ directory, ms, reason }, 'a volume was refused');
    },
  });
  const driver = config.install
    ? new DriverWatcher({
        install: {
          targetDirectory: targetDirectoryOf(config.targetDirectory, config.hostRoot),
          source: config.source,
          settings: deps.settingsText,
        },
        intervalMs: config.intervalMs,
        clock,
        log,
        onCheck({ installed, changed }) {
          metrics.installed(installed);
          if (changed) metrics.repaired();
        },
      })
    : undefined;
  let provider: ProviderServer | undefined;
  /** Loads gRPC only where the CSI provider is enabled. */
  const serveCsi = async (socket: string): Promise<ProviderServer> => {
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
  };
  if (config.csiSocket !== undefined) {
    health.addReadiness('csi', () => (provider ? undefined : 'the CSI driver is not answered yet'));
  }
  const restarts = new Restarts({
    client: manager.runtime.client,
    events: manager.events,
    metrics,
    namespaces: config.restartNamespaces,
  });
  const refresher = new Refresher({
    records: recordDirectory(config.socket),
    pods,
    vaults,
    service: mounts,
    mounts: { isMounted },
    restarts,
    renewals: new Renewals({ client: manager.runtime.client, secrets: config.renewableSecrets }),
    settings,
    metrics,
    events: manager.events,
    clock,
    log,
    intervalMs: config.refreshIntervalMs,
    ...deps.refresh,
  });
  manager.addTask((stop) => refresher.run(stop));
  health.addReadiness('socket', () => (server.listening ? undefined : 'drivers are not answered yet'));
  if (driver) health.addReadiness('driver', () => driver.problem);

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
        if (config.csiSocket !== undefined) provider = await serveCsi(config.csiSocket);
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
