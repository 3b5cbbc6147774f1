import { createArmClient } from '../azure/arm/client.ts';
import { createAzureDeps } from '../azure/azure-deps.ts';
import { CertificateExpiry } from '../azure/identity/certificate-expiry.ts';
import { authorizerFromEnvironment } from '../azure/identity/credential-from-environment.ts';
import { systemClock } from '../base/clock.ts';
import { warnSingleTenant } from '../base/flags/multi-tenant.ts';
import { HealthServer } from '../base/observability/health.ts';
import { createLogger, standardOutput } from '../base/observability/log.ts';
import { createMetrics } from '../base/observability/metrics.ts';
import { stopSignal } from '../base/process/stop-signal.ts';
import { loggable } from '../base/program.ts';
import { createKubeClient } from '../kube/client/client.ts';
import { findKubeConnection } from '../kube/config/find-connection.ts';
import { Manager } from '../kube/controller/manager.ts';
import { secretsConfig, secretsSettings } from '../secrets/config.ts';
import { createSecretEndpoint } from '../secrets/endpoint.ts';
import type { Program } from './program.ts';

/** `azimuth secrets`: connects the parts and serves until it gets a signal. */
export const secrets: Program = async (argv) => {
  const config = secretsConfig(argv, process.env);
  if ('help' in config) {
    console.log(config.help);
    return 0;
  }
  const log = createLogger('azimuth-secrets', { level: config.logLevel });
  const stop = stopSignal();
  const metrics = createMetrics('secrets');
  const health = new HealthServer(metrics);
  const azure = createAzureDeps(process.env);
  const certificates = new CertificateExpiry(log, metrics);
  const { authorizer } = authorizerFromEnvironment(process.env, { ...azure, certificates });
  const arm = createArmClient({ cloud: azure.cloud, dispatcher: azure.dispatcher, log, metrics });
  const connection = await findKubeConnection(config.kubeconfig === undefined ? {} : { kubeconfig: config.kubeconfig });
  const client = createKubeClient(connection, { metrics });
  const manager = new Manager({ client, clock: systemClock, log, metrics }, { name: 'secrets', health });
  const lines = standardOutput();
  const auditLines = { write: (text: string) => void lines.write(text) };
  const endpoint = createSecretEndpoint({ config, manager, health, azure, arm, authorizer, auditLines });
  const healthPort = await health.listen(config.healthPort, config.healthAddress);
  log.info(
    {
      ...loggable(secretsSettings, config),
      healthPort,
      kubernetes: connection.source,
      credential: authorizer.description,
      cloud: azure.cloud,
    },
    'secret endpoint starts',
  );
  if (!config.multiTenant) {
    const open = 'ManagedSecrets of any namespace may name any vault and machine: set --credential-scopes';
    warnSingleTenant(log, config.credentialScopes ? [] : [open]);
  }
  try {
    await endpoint.run(stop);
    log.info({}, 'secret endpoint stopped');
    return 0;
  } finally {
    await Promise.all([client.close(), health.close(), arm.close(), azure.close()]);
  }
};
