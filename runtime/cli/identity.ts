import { randomUUID } from 'node:crypto';
import { createArmClient } from '../azure/arm/client.ts';
import { CertificateExpiry } from '../azure/identity/certificate-expiry.ts';
import { openToNamespaces } from '../azure/identity/identity-policy.ts';
import { createImds } from '../azure/identity/imds.ts';
import { systemClock } from '../base/clock.ts';
import { warnSingleTenant } from '../base/flags/multi-tenant.ts';
import { createDispatcher } from '../base/http/client.ts';
import { HealthServer } from '../base/observability/health.ts';
import { createLogger } from '../base/observability/log.ts';
import { createMetrics } from '../base/observability/metrics.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import { cloudSettings } from '../identity/cloud-config.ts';
import { identityConfig, identitySettings, ignoredFlags } from '../identity/config.ts';
import { addIdentity } from '../identity/identity.ts';
import { createKubeClient } from '../kube/client/client.ts';
import { findKubeConnection } from '../kube/config/find-connection.ts';
import { Manager } from '../kube/controller/manager.ts';
import { endIfWorkOutlivedLease } from './exit/end-at-once.ts';
import type { Program } from './program.ts';

/** `azimuth identity`: connects the parts, runs until it gets a signal, releases its Lease. */
export const identity: Program = async (argv) => {
  const config = identityConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const log = createLogger('azimuth-identity', { level: config.logLevel });
  for (const flag of config.ignored)
    log.warn({ flag: `--${flag}`, why: ignoredFlags[flag] }, 'flag has no meaning here');
  const metrics = createMetrics('identity');
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const dispatcher = createDispatcher();
  // A machine that does not answer occupies a connection up to its time limit; the rate limiter limits their number.
  const armDispatcher = createDispatcher({ connections: 0 });
  const direct = createDispatcher({ proxy: 'none' });
  const imds = createImds({ dispatcher: direct, endpoint: config.imdsEndpoint });
  const certificates = new CertificateExpiry(log, metrics);
  const { cloud, authorizer, clusterIdentity, fallback } = cloudSettings({
    file: config.cloudconfig,
    env: process.env,
    log,
    context: (environment) => ({ cloud: environment, dispatcher, imds, certificates }),
  });
  const { userAgentSuffix, leaseDurationMs, leaseName, leaseIdentity } = config;
  const client = createKubeClient(connection, { metrics });
  const health = new HealthServer(metrics);
  const namespace = config.leaseNamespace ?? connection.namespace;
  // The ratios of AAD Pod Identity, but with a retry period that leaves room for a second try.
  const timings = { leaseDurationMs, renewDeadlineMs: (leaseDurationMs * 2) / 3, retryPeriodMs: leaseDurationMs / 7.5 };
  const lease = { namespace, name: leaseName, identity: `${leaseIdentity}_${randomUUID()}`, ...timings };
  const manager = new Manager(
    { client, clock: systemClock, log, metrics },
    { name: 'identity', health, ...(config.leaderElection && { lease }) },
  );
  const arm = createArmClient({
    cloud,
    dispatcher: armDispatcher,
    log,
    metrics,
    mayWrite: manager.mayWrite,
    defaultPollMs: config.pollIntervalMs,
    // Pods wait for their machine.
    firstPollMs: 20,
    ...(userAgentSuffix !== undefined && { userAgentSuffix }),
  });
  addIdentity({
    manager,
    arm,
    authorizer,
    options: {
      forceNamespaced: config.forceNamespaced,
      namespace,
      policy: { multiTenant: config.multiTenant, scopes: config.scopes },
      authorities: { cloud, authorityHosts: config.authorityHosts },
      attachEarlyMs: config.attachEarlyMs,
      certificateWarningMs: config.certificateWarningMs,
      writes: config.writes,
      immutableClientIds: () => [...config.immutableClientIds, clusterIdentity()],
      fallback,
      machines: { verifyMs: config.verifyMs },
    },
  });
  const port = await health.listen(config.healthPort, config.healthAddress);
  log.info(
    {
      ...loggable(identitySettings, config),
      namespace,
      healthPort: port,
      kubernetes: connection.source,
      credential: authorizer.description,
      clusterIdentity: clusterIdentity(),
      cloud,
    },
    'identity controller starts',
  );
  if (!config.multiTenant) warnSingleTenant(log, openToNamespaces(config));
  try {
    await manager.run(stopSignal());
    log.info({}, 'identity controller stopped');
    return 0;
  } catch (error) {
    endIfWorkOutlivedLease(error, log);
    throw error;
  } finally {
    await Promise.all([client.close(), arm.close(), dispatcher.close(), direct.close(), health.close()]);
  }
};
