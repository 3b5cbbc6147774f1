import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { ScopeRule } from '../../../azure/arm/scopes.ts';
import type { Clock } from '../../../base/clock.ts';
import { FairSemaphore } from '../../../base/fairness/fair-semaphore.ts';
import { readYaml, type YamlAnswer, type YamlJob } from '../../options/bounded-yaml.ts';
import type { DriverSettings } from '../../options/settings.ts';
import type { VolumeSpec } from '../../options/volume-spec.ts';
import type { Convert } from '../../vault/conversion.ts';
import type { FetchOptions } from '../../vault/fetch.ts';
import type { NodeDaemon } from '../../vault/node-daemon-client.ts';
import {
  openConnections,
  type VaultConnections,
  type VaultSessionOptions,
  withVault,
} from '../../vault/vault-session.ts';
import { TenantTextReader } from './tenant-text-reader.ts';
import { TokenPool } from './token-pool.ts';
import { VolumeLimits } from './volume-limits.ts';

/** Dependencies of the vault pool. */
export interface VaultPoolDeps {
  readonly settings: DriverSettings;
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  readonly nodeDaemon: NodeDaemon;
  /** Which namespaces may use which identities of the machine. @default all, within the node's settings */
  readonly identityScopes?: readonly ScopeRule[] | undefined;
}

/** Most characters of YAML to read in this thread, a millisecond; starting the process for texts takes half a second. */
const mostHere = 4096;

/** Maximum number of classes that stay parsed; the driver asks for each again at every rotation. */
const mostKept = 100;

/** Most clouds with open connections; more than one is rare. */
const mostClouds = 8;

/** Reads vaults with connections and tokens that mounts share, because creating them takes most of a mount's time. */
export class VaultPool {
  readonly #deps: VaultPoolDeps;
  readonly #tokens: TokenPool;
  readonly #volumes: VolumeLimits;
  /** Limits conversions, which are CPU-bound; two at a time, because a thread derives the keys. */
  readonly #conversions = new FairSemaphore({ total: 2, perKey: 1 });
  readonly #texts: TenantTextReader;
  /** Parsed classes, by texts of at most `mostHere` characters. */
  readonly #read = new LRUCache<string, YamlAnswer>({ max: mostKept });
  readonly #connections = new Map<string, VaultConnections>();

  constructor(deps: VaultPoolDeps) {
    this.#deps = deps;
    this.#tokens = new TokenPool(deps.clock);
    this.#volumes = new VolumeLimits(deps.clock);
    this.#texts = new TenantTextReader({ clock: deps.clock });
  }

  /** As `withVault`, within the limits of the volume's namespace, until `use` resolves. */
  async use<T>(
    request: VolumeSpec,
    signal: AbortSignal,
    use: (vault: FetchOptions) => Promise<T>,
    { once = false }: Pick<VaultSessionOptions, 'once'> = {},
  ): Promise<T> {
    const { share: poolTokens } = this.#tokens;
    const connections = (volume: VolumeSpec) => this.#connectionsFor(volume);
    const { namespace } = request.pod;
    return this.#volumes.run(namespace, request.mostReads ?? request.objects.length, signal, (place) => {
      const convert: Convert = (work) => this.#inTurn(namespace, place.signal, work);
      const readKeyAndChain = (value: string) => this.#texts.read(namespace, value, place.signal);
      const session = { ...this.#deps, signal: place.signal, connections, poolTokens, once };
      return withVault(request, session, (vault) => use({ ...vault, convert, readKeyAndChain, onRead: place.onRead }));
    });
  }

  /** As `readYaml`: longer texts of a namespace in the process for texts, so that all other volumes go on. */
  readYaml(namespace: string, job: YamlJob, signal: AbortSignal): Promise<YamlAnswer> {
    const length = job.texts.reduce((sum, text) => sum + text.length, 0);
    if (length > mostHere) return this.#texts.readYaml(namespace, job, signal);
    const key = JSON.stringify(job);
    const known = this.#read.get(key);
    if (known) return Promise.resolve(known);
    return this.#inTurn(namespace, signal, () => {
      const answer = readYaml(job);
      this.#read.set(key, answer);
      return answer;
    });
  }

  /** Runs CPU-bound work: namespaces alternate, and other work of the process runs in between. */
  #inTurn<T>(namespace: string, signal: AbortSignal, work: () => T | Promise<T>): Promise<T> {
    return this.#conversions.run(namespace, signal, async () => {
      await nextTurn();
      return work();
    });
  }

  async close(): Promise<void> {
    this.#texts.close();
    await Promise.all([...this.#connections.values()].map((each) => each.close()));
  }

  #connectionsFor(request: VolumeSpec): VaultConnections {
    const key = request.cloudName.toLowerCase();
    const connection = this.#connections.get(key);
    if (connection) return connection;
    const [[oldest, connections] = []] = this.#connections;
    if (oldest !== undefined && this.#connections.size >= mostClouds) {
      this.#connections.delete(oldest);
      // Requests in progress finish first.
      void connections?.close().catch(() => undefined);
    }
    const fresh = openConnections(request, { ...this.#deps, http: { keepAliveMs: 60_000, connections: 32 } });
    this.#connections.set(key, fresh);
    return fresh;
  }
}
