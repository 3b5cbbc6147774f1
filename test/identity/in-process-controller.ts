import { createArmClient } from '../../runtime/azure/arm/client.ts';
import { cloudFromEnvironment } from '../../runtime/azure/clouds.ts';
import { clientSecretAuthorizer } from '../../runtime/azure/identity/authorizers/client-secret.ts';
import type { ArmClient, Authorizer } from '../../runtime/azure/types.ts';
import { type Clock, systemClock } from '../../runtime/base/clock.ts';
import { createDispatcher } from '../../runtime/base/http/client.ts';
import { type Logger, silentLogger } from '../../runtime/base/observability/log.ts';
import { createMetrics, type Metrics } from '../../runtime/base/observability/metrics.ts';
import { addIdentity, type IdentityProgram } from '../../runtime/identity/identity.ts';
import type { IdentityOptions } from '../../runtime/identity/identity-options.ts';
import type { KubeClient } from '../../runtime/kube/client/types.ts';
import { Manager } from '../../runtime/kube/controller/manager.ts';
import type { LeaseOptions } from '../../runtime/kube/leader-election/lease-record.ts';
import type { RegisteredApp } from '../../sandbox/azure/apps.ts';
import type { EmbeddedAzure } from '../../sandbox/azure/embedded-azure.ts';

export interface ControllerOptions extends Partial<IdentityOptions> {
  readonly arm?: ArmClient;
  readonly log?: Logger;
  /** Who it signs in as. @default an owner of everything */
  readonly app?: RegisteredApp;
  /** @default the machine's */
  readonly clock?: Clock;
  /** Works only while it holds this Lease. @default without one */
  readonly lease?: LeaseOptions;
}

export interface RunningController {
  readonly program: IdentityProgram;
  readonly metrics: Metrics;
  readonly done: Promise<void>;
  stop(): Promise<void>;
}

export function armClientOf(azure: EmbeddedAzure, clock: Clock = systemClock): ArmClient {
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none', connections: 0 });
  return createArmClient({ cloud: cloudFromEnvironment(azure.env()), dispatcher, clock, defaultPollMs: 20 });
}

export function authorizerOf(azure: EmbeddedAzure, app: RegisteredApp = azure.defaultApp): Authorizer {
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  const { tenantId, clientId, secret = '' } = app;
  const cloud = cloudFromEnvironment(azure.env());
  return clientSecretAuthorizer({ tenantId, clientId, clientSecret: secret ?? '' }, { cloud, dispatcher });
}

/** Runs the identity controller in this process, with a client that it closes at its end. */
export function startController(
  azure: EmbeddedAzure,
  client: KubeClient,
  { arm, log = silentLogger, app, lease, clock = systemClock, ...options }: ControllerOptions = {},
): RunningController {
  const armClient = arm ?? armClientOf(azure, clock);
  const metrics = createMetrics();
  const runtime = { client, clock, log, metrics };
  const manager = new Manager(runtime, { name: 'identity', flushMs: 500, ...(lease && { lease }) });
  const stop = new AbortController();
  const program = addIdentity({
    manager,
    arm: armClient,
    authorizer: authorizerOf(azure, app),
    options: {
      forceNamespaced: false,
      namespace: 'azimuth-system',
      attachEarlyMs: 600_000,
      verificationBackoff: { initialMs: 200, maxMs: 500 },
      ...options,
      machines: { refusedBackoff: { initialMs: 200, maxMs: 500 }, ...options.machines },
    },
  });
  const done = manager.run(stop.signal);
  return {
    program,
    metrics,
    done,
    stop: async () => {
      stop.abort();
      await done;
      await Promise.all([client.close(), armClient.close()]);
    },
  };
}
