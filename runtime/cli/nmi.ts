import { cloudFromEnvironment } from '../azure/clouds.ts';
import { CertificateExpiry } from '../azure/identity/certificate-expiry.ts';
import { openToNamespaces } from '../azure/identity/identity-policy.ts';
import { createImds } from '../azure/identity/imds.ts';
import { systemClock } from '../base/clock.ts';
import { warnSingleTenant } from '../base/flags/multi-tenant.ts';
import { createDispatcher } from '../base/http/client.ts';
import { HealthServer } from '../base/observability/health.ts';
import { createLogger, standardOutput } from '../base/observability/log.ts';
import { createMetrics } from '../base/observability/metrics.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import { createKubeClient } from '../kube/client/client.ts';
import { findKubeConnection } from '../kube/config/find-connection.ts';
import { Manager } from '../kube/controller/manager.ts';
import { serveMetrics } from '../kube/metrics/serve-metrics.ts';
import { nmiConfig, retiredFlags, settings } from '../nmi/config/config.ts';
import { redirectionOf } from '../nmi/listeners.ts';
import { createNmi } from '../nmi/nmi.ts';
import { mostConnections } from '../nmi/request-places.ts';
import type { Program } from './program.ts';

/** `azimuth nmi`: connects the parts and serves until it gets a signal; `--cleanup` removes the rules instead. */
export const nmi: Program = async (argv) => {
  const config = nmiConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const destination = standardOutput();
  const log = createLogger('azimuth-nmi', { level: config.logLevel, destination });
  if (config.cleanup) {
    await redirectionOf(config, { log }).remove();
    return 0;
  }
  const metrics = createMetrics('nmi');
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const cloud = cloudFromEnvironment(process.env);
  const dispatcher = createDispatcher({ connections: mostConnections });
  const direct = createDispatcher({ proxy: 'none', connections: mostConnections });
  const forwarding = createDispatcher({ proxy: 'none', connections: mostConnections });
  const client = createKubeClient(connection, { metrics });
  const health = new HealthServer(config.metricsPort === undefined ? metrics : undefined);
  const manager = new Manager({ client, clock: systemClock, log, metrics }, { name: 'nmi', health });
  const daemon = createNmi({
    config,
    manager,
    health,
    forwarding,
    imds: createImds({ dispatcher: direct, endpoint: config.imdsEndpoint }),
    // In standard mode the controller warns, once for all nodes.
    entra: { cloud, dispatcher, ...(config.mode === 'managed' && { certificates: new CertificateExpiry(log) }) },
    auditLines: destination,
  });
  for (const flag of config.retired) log.warn({ flag, because: retiredFlags[flag] }, 'a flag without effect was given');
  const healthPort = await health.listen(config.healthPort, config.healthAddress);
  const served = await serveMetrics(config, { metrics, client, clock: systemClock, log });
  log.info(
    { ...loggable(settings, config), healthPort, metricsPort: served?.port, kubernetes: connection.source, cloud },
    'node daemon starts',
  );
  if (!config.multiTenant) warnSingleTenant(log, openToNamespaces(config));
  try {
    await daemon.run(stopSignal());
    log.info({}, 'node daemon stopped; pods are refused until it is back');
    return 0;
  } finally {
    const clients = [client, dispatcher, direct, forwarding, health, served];
    await Promise.all(clients.map((each) => each?.close()));
  }
};
