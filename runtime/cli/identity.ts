import { randomUUID } from 'node:crypto';
import { createArmClient } from '../azure/arm/client.ts';
import { CertificateExpiry } from '../azure/identity/certificate-expiry.ts';
import { openToNamespaces } from '../azure/identity/identity-policy.ts';
import { createImds } from '../azure/identity/imds.ts';
import { systemClock } from '../base/clock.ts';
import { warnSingleTenant } from '../base/flags/multi-tenant.ts';
import { createDispatcher } from '../base/http/client.ts';
import { HealthServer } from '../base/observability/health.ts';
import { createLogger, type Logger } from '../base/observability/log.ts';
import { createMetrics, type Metrics } from '../base/observability/metrics.ts';
import { keepHeapSmall } from '../base/process/heap.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import { type CloudSettings, cloudSettings } from '../identity/cloud-config.ts';
import { type IdentityConfig, identityConfig, identitySettings, ignoredFlags } from '../identity/config.ts';
import { addIdentity } from '../identity/identity.ts';
import type { IdentityOptions } from '../identity/identity-options.ts';
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
  keepHeapSmall();
  const log = createLogger('azimuth-identity', { level: config.logLevel });
  for (const flag of config.ignored)
    log.warn({ flag: `--${flag}`, why: ignoredFlags[flag] }, 'flag has no meaning here');
  const metrics = createMetrics('identity');
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const signIn = signInOf(config, log, metrics);
  const { cloud, authorizer, clusterIdentity } = signIn;
  const client = createKubeClient(connection, { metrics });
  const health = new HealthServer(metrics);
  const namespace = config.leaseNamespace ?? connection.namespace;
  const manager = new Manager(
    { client, clock: systemClock, log, metrics },
    { name: 'identity', health, ...(config.leaderElection && { lease: leaseOf(config, namespace) }) },
  );
  const { userAgentSuffix } = config;
  const arm = createArmClient({
    cloud,
    // A machine that does not answer occupies a connection up to its time limit; the rate limiter limits their number.
    dispatcher: createDispatcher({ connections: 0 }),
    log,
    metrics,
    mayWrite: manager.mayWrite,
    defaultPollMs: config.pollIntervalMs,
    // Pods wait for their machine.
    firstPollMs: 20,
    ...(userAgentSuffix !== undefined && { userAgentSuffix }),
  });
  addIdentity({ manager, arm, authorizer, options: optionsOf(config, namespace, signIn) });
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
    await Promise.all([client.close(), arm.close(), signIn.close(), health.close()]);
  }
};

/** How the controller signs in to Azure, and the connections for that. */
interface SignIn extends CloudSettings {
  close(): Promise<unknown>;
}

function signInOf(config: IdentityConfig, log: Logger, metrics: Metrics): SignIn {
  const dispatcher = createDispatcher();
  const direct = createDispatcher({ proxy: 'none' });
  const imds = createImds({ dispatcher: direct, endpoint: config.imdsEndpoint });
  const certificates = new CertificateExpiry(log, metrics);
  const settings = cloudSettings({
    file: config.cloudconfig,
    env: process.env,
    log,
    context: (cloud) => ({ cloud, dispatcher, imds, certificates }),
  });
  return { ...settings, close: () => Promise.all([dispatcher.close(), direct.close()]) };
}

/** The ratios of AAD Pod Identity, but with a retry period that leaves room for a second try. */
function leaseOf({ leaseDurationMs, leaseName: name, leaseIdentity }: IdentityConfig, namespace: string) {
  const timings = { leaseDurationMs, renewDeadlineMs: (leaseDurationMs * 2) / 3, retryPeriodMs: leaseDurationMs / 7.5 };
  return { namespace, name, identity: `${leaseIdentity}_${randomUUID()}`, ...timings };
}

function optionsOf(config: IdentityConfig, namespace: string, signIn: SignIn): IdentityOptions {
  const { cloud, clusterIdentity, fallback } = signIn;
  return {
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
  };
}
