import { systemClock } from '../base/clock.ts';
import { warnSingleTenant } from '../base/flags/multi-tenant.ts';
import { HealthServer } from '../base/observability/health.ts';
import { createLogger } from '../base/observability/log.ts';
import { createMetrics } from '../base/observability/metrics.ts';
import { collectSeldom } from '../base/process/heap.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import { createKubeClient } from '../kube/client/client.ts';
import { findKubeConnection } from '../kube/config/find-connection.ts';
import { Manager } from '../kube/controller/manager.ts';
import { serveMetrics } from '../kube/metrics/serve-metrics.ts';
import { createVolumesAgent } from '../volumes/agent/agent.ts';
import { agentConfig, agentSettings } from '../volumes/agent/config.ts';
import { removeDriver } from '../volumes/install/installer.ts';
import { settingsWithAgent, targetDirectoryOf } from '../volumes/install/watch-driver.ts';
import type { Program } from './program.ts';

/** `azimuth volumes`: connects the parts and serves until it gets a signal; `--remove` removes the driver instead. */
export const volumes: Program = async (argv) => {
  const config = agentConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  collectSeldom();
  const log = createLogger('azimuth-volumes', { level: config.logLevel });
  const stop = stopSignal();
  const metrics = createMetrics('volumes');
  const health = new HealthServer(config.metricsPort === undefined ? metrics : undefined);
  if (config.remove) {
    const targetDirectory = targetDirectoryOf(config.targetDirectory, config.hostRoot);
    log.info({ targetDirectory, removed: removeDriver(targetDirectory) }, 'the driver is gone');
    // A DaemonSet would restart a program that ends.
    await health.listen(config.healthPort, config.healthAddress);
    await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
    await health.close();
    return 0;
  }
  const { text, settings } = settingsWithAgent(config.settingsFile, config.socket);
  Object.assign(process.env, settings.environment);
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const client = createKubeClient(connection, { metrics });
  const manager = new Manager({ client, clock: systemClock, log, metrics }, { name: 'volumes', health });
  const agent = createVolumesAgent({ config, settings, settingsText: text, env: process.env, manager, health });
  const healthPort = await health.listen(config.healthPort, config.healthAddress);
  const served = await serveMetrics(config, { metrics, client, clock: systemClock, log });
  const { environment: _, ...logged } = settings;
  log.info(
    {
      ...loggable(agentSettings, config),
      settings: logged,
      healthPort,
      metricsPort: served?.port,
      kubernetes: connection.source,
    },
    'node agent of volumes starts',
  );
  if (!config.multiTenant) {
    const listed =
      "volumes of any namespace may use the machine's identities that machineIdentities lists: set --identity-scopes";
    warnSingleTenant(log, config.identityScopes || settings.machineIdentities.length === 0 ? [] : [listed]);
  }
  try {
    await agent.run(stop);
    log.info({}, 'node agent of volumes stopped');
    return 0;
  } finally {
    await Promise.all([client.close(), health.close(), served?.close()]);
  }
};
