import type { EntraDeps } from '../azure/identity/entra-client.ts';
import type { Imds } from '../azure/identity/imds.ts';
import type { Clock } from '../base/clock.ts';
import type { Dispatcher } from '../base/http/client.ts';
import type { HealthServer } from '../base/observability/health.ts';
import type { LineDestination } from '../base/observability/log.ts';
import { collectWhenIdle } from '../base/process/idle.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { Audit } from './audit.ts';
import type { NmiConfig } from './config/config.ts';
import { AllowedPaths } from './http/allowed-paths.ts';
import { HostChallenge } from './http/host-token.ts';
import type { LimitsOptions } from './http/limits.ts';
import { MetadataServer } from './http/server.ts';
import { Listeners, redirectionOf } from './listeners.ts';
import { measuredEntra, measuredImds } from './measured.ts';
import { type NmiCaches, watchObjects } from './nmi-caches.ts';
import { NmiMetrics } from './nmi-metrics.ts';
import { PodByAddress } from './pods/pod-by-address.ts';
import { ReversePathCheck, type ReversePathOptions } from './pods/reverse-path-check.ts';
import type { CommandRunner } from './redirection/command.ts';
import { RequestPlaces } from './request-places.ts';
import { AvailabilityWindows } from './tokens/availability-windows.ts';
import { ExceptedPods } from './tokens/excepted-pods.ts';
import { Identities } from './tokens/identity-lookup.ts';
import { Secrets } from './tokens/secret-reader.ts';
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts';
import { TokenHandler } from './tokens/token-handler.ts';
import { TokenService, type TokenServiceDeps } from './tokens/token-service.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** Dependencies of the node daemon that its program creates, and that tests replace. */
export interface NmiDeps {
  readonly config: NmiConfig;
  readonly manager: Manager;
  readonly health: HealthServer;
  /** Forwards requests of pods to the machine's metadata endpoint, and sends no others; must not use a proxy. */
  readonly forwarding: Dispatcher;
  readonly imds: Imds;
  /** Cloud, HTTP and limits of requests to Entra. */
  readonly entra: EntraDeps;
  /** Destination of audit lines: the log's own, so that both stay in order. */
  readonly auditLines: LineDestination;
  readonly limits?: LimitsOptions;
  readonly reversePath?: ReversePathOptions;
  /** Runs iptables and friends. @default programs of the system */
  readonly run?: CommandRunner;
}

/** The node daemon, wired and not yet started. */
export interface Nmi {
  /** Port on the listen address; only after `run` has begun to listen. */
  readonly listening: Promise<number>;
  /** Redirects, listens and serves until the signal aborts. The rules stay when it ends. */
  run(stop: AbortSignal): Promise<void>;
}

/** Wires the node daemon from its parts. Starts nothing. */
export function createNmi(deps: NmiDeps): Nmi {
  const { config, manager, health } = deps;
  const { clock, log } = manager.runtime;
  const metrics = new NmiMetrics(manager.runtime.metrics);
  const caches = watchObjects(manager, config);
  const { pods, bindings, identities, assigned } = caches;
  const waiting = new WaitingRequests([pods, bindings, identities, ...(assigned ? [assigned] : [])], clock);
  metrics.waiting(() => waiting.waiting);
  const podByAddress = new PodByAddress(pods, waiting, clock, { hostAddresses: config.hostIps });
  const audit = new Audit({ lines: deps.auditLines, events: manager.events, clock, node: config.node });
  const places = new RequestPlaces();
  const imds = measuredImds(deps.imds, metrics, clock);
  const lookup = identitiesOf(config, caches, waiting);
  const tokens = new TokenHandler({
    pods: podByAddress,
    windows: new AvailabilityWindows(clock),
    identities: lookup,
    tokens: tokenService(deps, { imds, metrics, audit, places }),
    imds,
    audit,
    clock,
    noIdentityStatus: config.noIdentityStatus,
  });
  const reversePath = new ReversePathCheck(pods, deps.reversePath);
  const server = new MetadataServer({
    pods: podByAddress,
    tokens,
    excepted: new ExceptedPods(podByAddress, lookup),
    reversePath,
    passthrough: {
      dispatcher: deps.forwarding,
      endpoint: config.imdsEndpoint,
      allowed: new AllowedPaths(config.metadataPaths),
      places: places.forwarded,
    },
    audit,
    metrics,
    log,
    clock,
    blockInstance: config.blockInstanceMetadata,
    metadataHeaderRequired: config.metadataHeaderRequired,
    hostTcp: hostTcpOf(config, clock),
    ...(deps.limits && { limits: deps.limits }),
  });
  const redirection =
    config.iptables === 'off' ? undefined : redirectionOf(config, { log, ...(deps.run && { run: deps.run }) }, metrics);
  if (redirection) health.addReadiness('redirection', () => redirection.notReady());
  return running(manager, server, new Listeners({ server, redirection, config, metrics, log, clock }));
}

/** Chooses the identity for a request. */
function identitiesOf(config: NmiConfig, caches: NmiCaches, waiting: WaitingRequests): Identities {
  return new Identities({
    ...caches,
    mode: config.mode,
    forceNamespaced: config.forceNamespaced,
    exceptedAccounts: config.exceptedAccounts,
    waiting,
    attemptsForCreated: config.attemptsForCreated,
    attemptsForAssigned: config.attemptsForAssigned,
    intervalSeconds: config.retryIntervalSeconds,
    setRetryAfter: config.setRetryAfter,
  });
}

/** Gets tokens from the machine's metadata endpoint and from Microsoft Entra ID. */
function tokenService(
  { config, manager, entra }: NmiDeps,
  { metrics, audit, ...own }: Pick<TokenServiceDeps, 'imds' | 'places'> & { metrics: NmiMetrics; audit: Audit },
): TokenService {
  const { client, clock } = manager.runtime;
  return new TokenService({
    ...own,
    entra,
    authorityHosts: config.authorityHosts,
    policy: config,
    // In standard mode without a policy the daemon trusts the controller's assignments, as upstream does.
    checkClientIds: config.mode === 'managed' || config.multiTenant || config.scopes !== undefined,
    measure: measuredEntra(metrics, clock),
    secrets: new Secrets({ client, clock, refreshMs: config.secretRefreshMs, onError: () => metrics.secretError() }),
    accounts: new ServiceAccountTokens(client, clock),
    clock,
    cacheMs: config.tokenCacheMs,
    onRotation: (rotation) => audit.rotation(rotation),
    onCache: (result) => metrics.cache(result),
  });
}

/** The daemon, whose run opens the listeners and ends with them. */
function running(manager: Manager, server: MetadataServer, listeners: Listeners): Nmi {
  const { clock } = manager.runtime;
  const listening = Promise.withResolvers<number>();
  listening.promise.catch(() => undefined);
  return {
    listening: listening.promise,
    async run(stop) {
      try {
        listening.resolve(await listeners.open());
        const collecting = collectWhenIdle({ clock, count: () => server.served }, stop);
        await Promise.all([manager.run(stop), listeners.maintain(stop), collecting]);
      } catch (error) {
        listening.reject(error);
        throw error;
      } finally {
        await listeners.close();
      }
    },
  };
}

function hostTcpOf({ allowHostCallers, hostTokenTcp, hostTokenFile }: NmiConfig, clock: Clock) {
  if (allowHostCallers) return 'anyone';
  return hostTokenTcp ? HostChallenge.open(hostTokenFile, clock) : 'off';
}
