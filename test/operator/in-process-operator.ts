/** The operator in the process of a test, on an embedded cluster and an embedded Azure. */
import type { DestinationStream } from 'pino';
import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { tryParseScopeRules } from '../../runtime/azure/arm/scopes.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { authorizerFromEnvironment } from '../../runtime/azure/identity/credential-from-environment.ts';
import { createImds } from '../../runtime/azure/identity/imds.ts';
import type { ArmClient } from '../../runtime/azure/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { createLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics, type Metrics } from '../../runtime/base/observability/metrics.ts';
import { noTracer, type Tracer } from '../../runtime/base/observability/tracing.ts';
import { createKubeClient } from '../../runtime/kube/client/client.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import { loadKubeConnection } from '../../runtime/kube/config/kubeconfig.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import type { DatabaseRoute } from '../../runtime/operator/data-plane/database-accounts.ts';
import type { ManagedSecrets } from '../../runtime/operator/managed-secrets/resolver.ts';
import { addOperator } from '../../runtime/operator/operator.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';

export interface RunningOperator {
  readonly metrics: Metrics;
  /** Settles when it ends; rejects where it ends by an error. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** Settings of one operator. */
export interface OperatorOptions {
  readonly syncPeriodMs?: number;
  readonly clock?: Clock;
  readonly eventWritesPerSecond?: number;
  readonly tracer?: Tracer;
  readonly rotationOverlapMs?: number;
  readonly deletionHintMs?: number;
  /** @default 30 s of the test's clock, 100 ms of the machine's */
  readonly settleMs?: number;
  /** @default 30 s of the test's clock, 200 ms of the machine's */
  readonly instancesReadMs?: number;
  readonly wrap?: (client: KubeClient) => KubeClient;
  readonly wrapArm?: (arm: ArmClient) => ArmClient;
  readonly managedSecrets?: ManagedSecrets;
  readonly databases?: DatabaseRoute;
  /** Works under the Lease of the operator, in the namespace default. @default false */
  readonly lease?: boolean;
  /** Whether gates of deployments may be Jobs. @default false */
  readonly gateJobs?: boolean;
  /** Another Azure that it trusts, and that Secrets may choose. @default none */
  readonly otherAzure?: EmbeddedAzure;
  /** Its `--kinds`. @default those of the world */
  readonly kinds?: string;
}

/** The cluster and the Azure of an operator. */
export interface OperatorPlace {
  readonly azure: EmbeddedAzure;
  readonly kubeconfigFile: string;
  /** Gets the lines that it logs. */
  readonly log: string[];
}

const operatorLease = {
  namespace: 'default',
  name: 'azimuth-operator',
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 300,
};

/** Starts an operator. `overrides` are variables of its environment, beside those of the embedded Azure. */
export function startOperator(
  place: OperatorPlace,
  features: {
    readonly overrides: Record<string, string>;
    readonly machineSecrets: boolean;
    readonly deployments: boolean;
  },
  options: OperatorOptions & { readonly kinds: string },
): RunningOperator {
  const { azure, kubeconfigFile, log } = place;
  const { overrides, ...flags } = features;
  const destination: DestinationStream = { write: (line: string) => void log.push(line) };
  const env = { ...azure.env(), ...overrides };
  const cloud = cloudFromEnvironment(env);
  const { otherAzure } = options;
  const ca = azure.caPem + (otherAzure?.caPem ?? '');
  const dispatcher = createDispatcher({ ca, proxy: 'none' });
  const imds = createImds({ dispatcher, endpoint: azure.endpoints.imds });
  const inSecrets = { allowMultiEnvironment: otherAzure !== undefined };
  const credentialContext = { cloud, dispatcher, imds, inSecrets };
  const credential = authorizerFromEnvironment(env, credentialContext);
  const metrics = createMetrics();
  const logger = createLogger('operator', { level: 'debug', destination });
  const { clock = systemClock, tracer = noTracer } = options;
  const bareArm = createArmClient({ cloud, dispatcher, clock, log: logger, metrics, tracer, defaultPollMs: 50 });
  const arm = options.wrapArm?.(bareArm) ?? bareArm;
  const bare = createKubeClient(loadKubeConnection({ kubeconfig: kubeconfigFile }));
  const own = options.wrap?.(bare) ?? bare;
  const manager = new Manager(
    { client: own, clock, log: logger, metrics },
    {
      name: 'operator',
      ...(options.lease && { lease: operatorLease }),
      ...(options.eventWritesPerSecond !== undefined && { eventWritesPerSecond: options.eventWritesPerSecond }),
    },
  );
  const config = {
    kinds: options.kinds,
    targetNamespaces: [],
    syncPeriodMs: options.syncPeriodMs,
    maxConcurrentReconciles: 4,
    defaultPolicy: 'manage',
    ...flags,
    keyVault: overrides['AZURE_OPERATOR_KEYVAULT'],
    allowAccessGrants: overrides['AZIMUTH_ALLOW_ACCESS_GRANTS'] === 'true',
    credentialScopes: tryParseScopeRules(overrides['AZURE_OPERATOR_CREDENTIAL_SCOPES'] ?? '') ?? [],
    ...(options.rotationOverlapMs !== undefined && { rotationOverlapMs: options.rotationOverlapMs }),
    ...(options.deletionHintMs !== undefined && { deletionHintMs: options.deletionHintMs }),
    ...(options.gateJobs && { gateJobs: true }),
    settleMs: options.settleMs ?? (clock === systemClock ? 100 : 30_000),
    instancesReadMs: options.instancesReadMs ?? (clock === systemClock ? 200 : 30_000),
  } as const;
  const { managedSecrets, databases } = options;
  addOperator({
    manager,
    arm,
    credential,
    namespace: 'default',
    credentialContext,
    config,
    tracer,
    managedSecrets,
    ...(databases && { databases }),
  });
  const stop = new AbortController();
  const ended = manager.run(stop.signal);
  let stopped: Promise<unknown> | undefined;
  return {
    metrics,
    ended,
    async stop() {
      stop.abort();
      stopped ??= ended.finally(() => Promise.all([own.close(), arm.close()]));
      await stopped;
    },
  };
}
