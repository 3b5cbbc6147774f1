import { hostname } from 'node:os';
import { createArmClient } from '../azure/arm/client.ts';
import { cloudFromEnvironment } from '../azure/clouds.ts';
import { CertificateExpiry } from '../azure/identity/certificate-expiry.ts';
import { authorizerFromEnvironment } from '../azure/identity/credential-from-environment.ts';
import { createImds } from '../azure/identity/imds.ts';
import { systemClock } from '../base/clock.ts';
import { warnSingleTenant } from '../base/flags/multi-tenant.ts';
import { createDispatcher, type Dispatcher } from '../base/http/client.ts';
import { HealthServer } from '../base/observability/health.ts';
import { createLogger, type Logger } from '../base/observability/log.ts';
import { createMetrics, type Metrics } from '../base/observability/metrics.ts';
import { keepHeapSmall } from '../base/process/heap.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import { createKubeClient } from '../kube/client/client.ts';
import { findKubeConnection } from '../kube/config/find-connection.ts';
import { Manager } from '../kube/controller/manager.ts';
import { type OperatorConfig, operatorConfig, settings } from '../operator/config.ts';
import { vaultUrlIn } from '../operator/export/key-vault-clients.ts';
import { addOperator } from '../operator/operator.ts';
import { endIfWorkOutlivedLease } from './exit/end-at-once.ts';
import type { Program } from './program.ts';

/** `azimuth operator`: connects the parts, runs until it gets a signal, releases its Lease. */
export const operator: Program = async (argv) => {
  const config = operatorConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  keepHeapSmall();
  const log = createLogger('azimuth-operator', { level: config.logLevel });
  const metrics = createMetrics('operator');
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const direct = createDispatcher({ proxy: 'none' });
  const credentialContext = credentialDeps(config, direct, log, metrics);
  const { cloud, dispatcher } = credentialContext;
  const credential = authorizerFromEnvironment(process.env, credentialContext);
  const client = createKubeClient(connection, { metrics });
  const health = new HealthServer(metrics);
  const namespace = config.namespace ?? connection.namespace;
  const manager = new Manager(
    { client, clock: systemClock, log, metrics },
    { name: 'operator', health, ...(config.leaderElection && { lease: leaseOf(config, namespace) }) },
  );
  const spans = config.otlpEndpoint === undefined ? undefined : await exporter(config.otlpEndpoint, log, metrics);
  const tracing = spans && { tracer: spans.tracer };
  const { userAgentSuffix } = config;
  const arm = createArmClient({
    cloud,
    dispatcher,
    log,
    metrics,
    ...tracing,
    defaultPollMs: config.pollIntervalMs,
    mayWrite: manager.mayWrite,
    ...(userAgentSuffix !== undefined && { userAgentSuffix }),
  });
  const apiServerHosts = [new URL(connection.server).hostname, 'kubernetes.default.svc'];
  addOperator({ manager, arm, credential, namespace, credentialContext, config, apiServerHosts, ...tracing });

  const port = await health.listen(config.healthPort, config.healthAddress);
  const { authorizer, subscriptionId: subscription } = credential;
  const used = { kubernetes: connection.source, credential: authorizer.description, subscription, cloud };
  log.info({ ...loggable(settings, config), namespace, healthPort: port, ...used }, 'operator starts');
  if (!config.multiTenant) warnOfOperatorCredential(log, config);
  try {
    await manager.run(stopSignal());
    log.info({}, 'operator stopped');
    return 0;
  } catch (error) {
    endIfWorkOutlivedLease(error, log);
    throw error;
  } finally {
    await Promise.all([client.close(), arm.close(), direct.close(), health.close(), spans?.close()]);
  }
};

/** How the operator, and the credentials of objects and namespaces, sign in. `direct`: without a proxy. */
function credentialDeps(config: OperatorConfig, direct: Dispatcher, log: Logger, metrics: Metrics) {
  const cloud = cloudFromEnvironment(process.env);
  if (config.keyVault !== undefined) vaultUrlIn(cloud, config.keyVault);
  const tokenFile = process.env['AZURE_FEDERATED_TOKEN_FILE']?.trim();
  const { allowMultiEnvironment, identityFileDirectories, multiTenant: onlyAzureClouds } = config;
  return {
    cloud,
    dispatcher: createDispatcher(),
    imds: createImds({ dispatcher: direct, endpoint: config.imdsEndpoint }),
    certificates: new CertificateExpiry(log, metrics),
    inSecrets: {
      allowMultiEnvironment,
      onlyAzureClouds,
      identityFileDirectories,
      ...(tokenFile && { tokenFile }),
    },
  };
}

function leaseOf({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: OperatorConfig, namespace: string) {
  return { namespace, name: 'azimuth-operator', leaseDurationMs, renewDeadlineMs, retryPeriodMs };
}

function warnOfOperatorCredential(log: Logger, { credentialScopes }: OperatorConfig): void {
  const bounded = credentialScopes.length > 0 ? '' : ': set --operator-credential-scopes';
  warnSingleTenant(log, [`objects without a credential of their own use that of the operator${bounded}`]);
}

/** Loaded only if spans are exported. */
async function exporter(endpoint: string, log: Logger, metrics: Metrics) {
  const [{ OtlpExporter }, { createTracer }] = await Promise.all([
    import('../base/observability/otlp.ts'),
    import('../base/observability/tracing.ts'),
  ]);
  const dispatcher = createDispatcher({ connections: 1 });
  const headers = process.env['OTEL_EXPORTER_OTLP_HEADERS'];
  const resource = { 'service.name': 'azimuth-operator', 'service.instance.id': hostname() };
  const out = new OtlpExporter({
    endpoint,
    resource,
    dispatcher,
    log,
    metrics,
    ...(headers !== undefined && { headers }),
  });
  return {
    tracer: createTracer(out.add),
    close: async () => {
      await out.close();
      await dispatcher.close();
    },
  };
}
