import type { Clock } from '../base/clock.ts';
import { AzimuthError, messageOf } from '../base/errors.ts';
import type { Logger } from '../base/observability/log.ts';
import type { NmiConfig } from './config/config.ts';
import type { MetadataServer } from './http/server.ts';
import type { NmiMetrics } from './nmi-metrics.ts';
import type { CommandRunner } from './redirection/command.ts';
import { Redirection } from './redirection/redirection.ts';

/** The server, and the parts that its listeners need. */
export interface ListenersDeps {
  readonly server: MetadataServer;
  /** Undefined with --iptables=off: the daemon then serves callers of its listen address only. */
  readonly redirection: Redirection | undefined;
  readonly config: NmiConfig;
  readonly metrics: NmiMetrics;
  readonly log: Logger;
  readonly clock: Clock;
}

/** Pause between two attempts to listen for callers on the node, milliseconds. */
const portRetryMs = 1000;

/**
 * The listeners of the daemon: the redirect addresses for pods, and the listen address and the Unix socket for callers
 * on the node. The redirection rules admit pods only while the daemon itself listens for them.
 */
export class Listeners {
  readonly #deps: ListenersDeps;
  /** The redirect addresses on which the daemon listens. */
  readonly #redirected = new Set<string>();
  /** Whether another process has the port for callers on the node. */
  #portTaken = false;

  constructor(deps: ListenersDeps) {
    this.#deps = deps;
  }

  /**
   * Adds the rules, then listens. Resolves to the port for callers on the node. Throws AZ_REDIRECTION_FAILED where
   * another process has the port of a redirect address.
   */
  async open(): Promise<number> {
    const { server, redirection, config, metrics, log } = this.#deps;
    if (redirection) {
      metrics.redirection(false);
      // First step: from here on no pod reaches the machine's own endpoint.
      await redirection.ensure();
      metrics.redirection(true);
    }
    await this.#listenForPods();
    if (config.hostSocket !== undefined) await server.listenForRoot(config.hostSocket);
    const hostListener = await this.#tryListenForHost();
    const port = hostListener ?? config.port;
    const address = config.listenAddress;
    if (hostListener === undefined) {
      this.#portTaken = true;
      log.warn(
        { address, port },
        'another program has the port for callers on the node until it ends; the daemon serves pods',
      );
    }
    log.info({ address, port, redirected: redirection?.addresses }, 'metadata endpoint listens');
    return port;
  }

  /** Verifies the rules, and takes the port for callers on the node once it is free, until the signal aborts. */
  async maintain(stop: AbortSignal): Promise<void> {
    await Promise.all([this.#verifyRules(stop), ...(this.#portTaken ? [this.#takePort(stop)] : [])]);
  }

  /** Makes the rules refuse pods, then closes the server. Another process may have the port afterwards. */
  async close(): Promise<void> {
    const { server, redirection, log } = this.#deps;
    redirection?.admit(false);
    await redirection?.ensure().catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the redirection rules could not be closed');
    });
    await server.close();
  }

  /** Listens on the redirect addresses, also on an IPv6 one that is available only now, and admits pods. */
  async #listenForPods(): Promise<void> {
    const { server, redirection, config } = this.#deps;
    if (!redirection) return;
    const missing = redirection.addresses.filter((address) => !this.#redirected.has(address));
    if (missing.length === 0) return;
    redirection.admit(false);
    await redirection.ensure();
    for (const address of missing) {
      await server.listen(config.port, address).catch((error: unknown) => {
        throw portTakenError(error, address, config.port);
      });
      this.#redirected.add(address);
    }
    redirection.admit(true);
    await redirection.ensure();
  }

  async #verifyRules(stop: AbortSignal): Promise<void> {
    const { redirection, config, metrics, log, clock } = this.#deps;
    while (redirection && !stop.aborted) {
      await clock.sleep(config.iptablesIntervalMs, stop).catch(() => undefined);
      if (stop.aborted) return;
      try {
        await redirection.ensure();
        await this.#listenForPods();
        metrics.redirection(true);
      } catch (error) {
        metrics.redirection(false);
        log.error({ error: messageOf(error) }, 'the redirection rules could not be verified');
      }
    }
  }

  /**
   * Listens for callers on the node. Undefined where another process has the port, as AAD Pod Identity's daemon
   * during a migration: pods use the redirect address and need not wait.
   */
  async #tryListenForHost(): Promise<number | undefined> {
    const { server, redirection, config } = this.#deps;
    try {
      return await server.listen(config.port, config.listenAddress);
    } catch (error) {
      if (!isPortTaken(error) || !redirection) throw error;
      return undefined;
    }
  }

  async #takePort(stop: AbortSignal): Promise<void> {
    const { config, log, clock } = this.#deps;
    while (!stop.aborted) {
      await clock.sleep(portRetryMs, stop).catch(() => undefined);
      if (stop.aborted || (await this.#tryListenForHost()) === undefined) continue;
      log.info({ address: config.listenAddress, port: config.port }, 'the daemon serves callers on the node');
      return;
    }
  }
}

/** The redirection of a configuration; `--cleanup` uses it alone. */
export function redirectionOf(
  config: NmiConfig,
  parts: { readonly log: Logger; readonly run?: CommandRunner },
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

function isPortTaken(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
}

/**
 * Explains how to find the process that has the port of the redirect address. Without the cause, for which the command
 * line has a fix of its own: another port is none here.
 */
function portTakenError(error: unknown, address: string, port: number): unknown {
  if (!isPortTaken(error)) return error;
  return new AzimuthError(
    'AZ_REDIRECTION_FAILED',
    `Another process of the node listens on ${address}:${port}, the target of the redirection; pods are refused until it ends. ` +
      `\`ss -ltnp 'sport = :${port}'\` on the node names it`,
  );
}
