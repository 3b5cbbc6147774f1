import type { EntraContext } from '../azure/identity/entra-client.ts';
import type { Imds } from '../azure/identity/imds.ts';
import type { Clock } from '../base/clock.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import type { Dispatcher } from '../base/http/client.ts';
import { collectWhenIdle } from '../base/idle.ts';
import type { HealthServer } from '../base/observability/health.ts';
import type { LineDestination, Logger } from '../base/observability/log.ts';
import type { Manager } from '../kube/controller/manager.ts';
import { Audit } from './audit.ts';
import type { NmiConfig } from './config.ts';
import { AllowedPaths } from './http/allowed-paths.ts';
import { HostChallenge } from './http/host-token.ts';
import type { LimitsOptions } from './http/limits.ts';
import { MetadataServer } from './http/server.ts';
import { measuredEntra, measuredImds } from './measured.ts';
import { NmiMetrics } from './nmi-metrics.ts';
import {
  type Assigned,
  assignedType,
  type Binding,
  bindingsType,
  type Exception,
  exceptionsType,
  type Identity,
  identitiesType,
  type Pod,
  podsType,
  projectPod,
} from './objects.ts';
import { PodByAddress } from './pods/pod-by-address.ts';
import { ReversePathCheck, type ReversePathOptions } from './pods/reverse-path-check.ts';
import type { RunCommand } from './redirection/command.ts';
import { Redirection } from './redirection/redirection.ts';
import { AvailabilityWindows } from './tokens/availability-windows.ts';
import { Identities } from './tokens/identity-lookup.ts';
import { Secrets } from './tokens/secret-reader.ts';
import { ServiceAccountTokens } from './tokens/service-account-tokens.ts';
import { TokenHandler } from './tokens/token-handler.ts';
import { TokenService } from './tokens/token-service.ts';
import { WaitingRequests } from './waiting-requests.ts';

/** Parts of the node daemon that its program creates, and that tests replace. */
export interface NmiParts {
  readonly config: NmiConfig;
  readonly manager: Manager;
  readonly health: HealthServer;
  /** Sends requests to the machine's metadata endpoint; must not use a proxy. */
  readonly direct: Dispatcher;
  readonly imds: Imds;
  /** Cloud, HTTP and limits of requests to Entra. */
  readonly entra: EntraContext;
  /** Destination of audit lines: the log's own, so that both stay in order. */
  readonly auditLines: LineDestination;
  readonly limits?: LimitsOptions;
  readonly reversePath?: ReversePathOptions;
  /** Runs iptables and friends. @default programs of the system */
  readonly run?: RunCommand;
}

/** The node daemon, wired and not yet started. */
export interface Nmi {
  /** Port on the listen address; only after `run` has begun to listen. */
  readonly listening: Promise<number>;
  /** Redirects, listens and serves until the signal aborts. The rules stay when it ends. */
  run(stop: AbortSignal): Promise<void>;
}

/** Wires the node daemon from its parts. Starts nothing. */
export function createNmi(parts: NmiParts): Nmi {
  const { config, manager, health } = parts;
  const { client, clock, metrics: registry } = manager.runtime;
  const log = manager.runtime.log;
  const metrics = new NmiMetrics(registry);

  const pods = manager.watch<Pod>({
    type: podsType,
    fieldSelector: `spec.nodeName=${config.node}`,
    project: projectPod,
    // The API server's cache may still have a pod whose address belongs to another pod by now: ADR 0025.
    listFrom: 'quorum',
  });
  const bindings = manager.watch<Binding>({ type: bindingsType, listFrom: 'cache' });
  const identities = manager.watch<Identity>({ type: identitiesType, listFrom: 'cache' });
  const exceptions = manager.watch<Exception>({ type: exceptionsType, listFrom: 'cache' });
  const assigned =
    config.mode === 'standard'
      ? manager.watch<Assigned>({
          type: assignedType,
          listFrom: 'cache',
          ...(config.scaleFeatures && { labelSelector: `nodename=${config.node}` }),
        })
      : undefined;
  const caches = [pods, bindings, identities, ...(assigned ? [assigned] : [])];
  const waiting = new WaitingRequests(caches, clock);
  metrics.waiting(() => waiting.waiting);
  const podByAddress = new PodByAddress(pods, waiting, clock, { hostAddresses: config.hostIps });

  const audit = new Audit({ lines: parts.auditLines, events: manager.events, clock, node: config.node });
  const imds = measuredImds(parts.imds, metrics, clock);
  const tokens = new TokenService({
    imds,
    entra: parts.entra,
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
  const handler = new TokenHandler({
    pods: podByAddress,
    windows: new AvailabilityWindows(clock),
    identities: new Identities({
      mode: config.mode,
      forceNamespaced: config.forceNamespaced,
      pods,
      bindings,
      identities,
      exceptions,
      assigned,
      waiting,
      attemptsForCreated: config.attemptsForCreated,
      attemptsForAssigned: config.attemptsForAssigned,
      intervalSeconds: config.retryIntervalSeconds,
      setRetryAfter: config.setRetryAfter,
    }),
    tokens,
    imds,
    audit,
    clock,
  });
  const server = new MetadataServer({
    pods: podByAddress,
    tokens: handler,
    reversePath: new ReversePathCheck(pods, parts.reversePath),
    passthrough: {
      dispatcher: parts.direct,
      endpoint: config.imdsEndpoint,
      allowed: new AllowedPaths(config.metadataPaths),
    },
    audit,
    metrics,
    log,
    clock,
    blockInstance: config.blockInstanceMetadata,
    metadataHeaderRequired: config.metadataHeaderRequired,
    hostTcp: hostTcpOf(config, clock),
    ...(parts.limits && { limits: parts.limits }),
  });
  const redirection =
    config.iptables === 'off'
      ? undefined
      : redirectionOf(config, { log, ...(parts.run && { run: parts.run }) }, metrics);
  if (redirection) health.addReadiness('redirection', () => redirection.notReady());

  const listensOn = new Set<string>();
  /**
   * Listens on the redirect addresses (IPv6 included once it is on), and admits pods when the daemon has all of them.
   * While another process has the port, the rules refuse pods.
   */
  const listenForPods = async (): Promise<void> => {
    if (!redirection) return;
    const missing = redirection.addresses.filter((address) => !listensOn.has(address));
    if (missing.length === 0) return;
    redirection.admit(false);
    await redirection.ensure();
    for (const address of missing) {
      await server.listen(config.port, address).catch((error: unknown) => {
        throw portTaken(error, address, config.port);
      });
      listensOn.add(address);
    }
    redirection.admit(true);
    await redirection.ensure();
  };

  const keepRules = async (stop: AbortSignal): Promise<void> => {
    while (redirection && !stop.aborted) {
      await clock.sleep(config.iptablesIntervalMs, stop).catch(() => undefined);
      if (stop.aborted) return;
      try {
        await redirection.ensure();
        await listenForPods();
        metrics.redirection(true);
      } catch (error) {
        metrics.redirection(false);
        log.error({ error: messageOf(error) }, 'the redirection rules could not be verified');
      }
    }
  };

  /**
   * Listens for callers on the node. Undefined where another process has the port, as AAD Pod Identity's daemon
   * during a migration: pods use the redirect address and need not wait.
   */
  const listenForHost = async (): Promise<number | undefined> => {
    try {
      return await server.listen(config.port, config.listenAddress);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || !redirection) throw error;
      return undefined;
    }
  };
  const takeOver = async (stop: AbortSignal): Promise<void> => {
    const { listenAddress: address, port } = config;
    log.warn(
      { address, port },
      'another program has the port for callers on the node until it ends; the daemon serves pods',
    );
    while (!stop.aborted) {
      await clock.sleep(1000, stop).catch(() => undefined);
      if (stop.aborted || (await listenForHost()) === undefined) continue;
      log.info({ address, port }, 'the daemon serves callers on the node');
      return;
    }
  };

  const listening = Promise.withResolvers<number>();
  listening.promise.catch(() => undefined);
  return {
    listening: listening.promise,
    async run(stop) {
      try {
        // First step: from here on no pod reaches the machine's own endpoint.
        await redirection?.ensure();
        metrics.redirection(redirection !== undefined);
        await listenForPods();
        if (config.hostSocket !== undefined) await server.listenForRoot(config.hostSocket);
        const port = await listenForHost();
        listening.resolve(port ?? config.port);
        log.info(
          { address: config.listenAddress, port: port ?? config.port, redirected: redirection?.addresses },
          'metadata endpoint listens',
        );
        const rest = collectWhenIdle({ clock, count: () => server.served }, stop);
        await Promise.all([manager.run(stop), keepRules(stop), rest, ...(port === undefined ? [takeOver(stop)] : [])]);
      } catch (error) {
        listening.reject(error);
        throw error;
      } finally {
        // Another process may take the port from here on: the rules refuse pods until the daemon listens again.
        redirection?.admit(false);
        await redirection?.ensure().catch((error: unknown) => {
          log.warn({ error: messageOf(error) }, 'the redirection rules could not be closed');
        });
        await server.close();
      }
    },
  };
}

function hostTcpOf({ allowHostCallers, hostTokenTcp, hostTokenFile }: NmiConfig, clock: Clock) {
  if (allowHostCallers) return 'anyone';
  return hostTokenTcp ? HostChallenge.open(hostTokenFile, clock) : 'off';
}

/** Explains how to find the process that has the port of the redirect address. */
function portTaken(error: unknown, address: string, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return error;
  return new AzimuthError(
    'AZ_REDIRECTION_FAILED',
    `Another process of the node listens on ${address}:${port}, the target of the redirection; pods are refused until it ends. ` +
      `\`ss -ltnp 'sport = :${port}'\` on the node names it`,
    { cause: error },
  );
}

/** The redirection of a configuration; `--cleanup` uses it alone. */
export function redirectionOf(
  config: NmiConfig,
  parts: { readonly log: Logger; readonly run?: RunCommand },
  metrics?: NmiMetrics,
): Redirection {
  return new Redirection({
    metadataIps: config.metadataIps,
    metadataPort: config.metadataPort,
    redirectIps: config.redirectIps,
    port: config.port,
    variant: config.iptables === 'off' ? 'auto' : config.iptables,
    conntrack: config.conntrack,
    log: parts.log,
    onRepair: (family) => metrics?.repaired(family),
    ...(parts.run && { run: parts.run }),
  });
}
