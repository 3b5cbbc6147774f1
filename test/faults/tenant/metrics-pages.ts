import type { KubeClient } from '../../../runtime/kube/client/types.ts';
import { type MetricsAnswer, readMetrics } from '../../fakes/metrics-reader.ts';
import { grantInCluster, makeAccount, type ProgramName, tokenOf } from './tenant-setup.ts';

/** Programs on the network of their node, with a metrics port that every pod reaches. */
export const nodePrograms = ['nmi', 'volumes'] as const;
export type NodeProgram = (typeof nodePrograms)[number];

/** Prometheus has one address, and the world's own reads another: a program answers each once a second. */
const [prometheusIp, worldIp] = ['127.10.2.1', '127.10.2.2'];
/** Age up to which the world's own reads take a page again. */
const freshMs = 1500;

/** The metrics of all programs: over TLS with a token from those on nodes, and from the health port of the others. */
export class MetricsPages {
  readonly #ports: Readonly<Record<NodeProgram, number>>;
  readonly #health: (name: ProgramName) => string;
  readonly #token: string;
  readonly #pages = new Map<NodeProgram, { readonly at: number; readonly text: Promise<string> }>();

  private constructor(
    ports: Readonly<Record<NodeProgram, number>>,
    health: (name: ProgramName) => string,
    token: string,
  ) {
    this.#ports = ports;
    this.#health = health;
    this.#token = token;
  }

  /** Makes the account of Prometheus, which may get the URL `/metrics`. */
  static async start(
    admin: KubeClient,
    ports: Readonly<Record<NodeProgram, number>>,
    health: (name: ProgramName) => string,
  ): Promise<MetricsPages> {
    const account = { namespace: 'default', name: 'prometheus' };
    await makeAccount(admin, account);
    await grantInCluster(admin, account.name, account, [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]);
    return new MetricsPages(ports, health, await tokenOf(admin, account));
  }

  /** The metrics port of a program. */
  port(name: NodeProgram): number {
    return this.#ports[name];
  }

  /** Reads a page as Prometheus does. Rejects where the program resets the connection. */
  scrape(name: NodeProgram): Promise<MetricsAnswer> {
    return readMetrics(this.#ports[name], { token: this.#token, localAddress: prometheusIp });
  }

  /** The metrics of a program as text, at most a moment old. */
  async text(name: ProgramName): Promise<string> {
    const node = nodePrograms.find((each) => each === name);
    if (node === undefined) return (await fetch(`${this.#health(name)}/metrics`)).text();
    const known = this.#pages.get(node);
    if (known && performance.now() - known.at < freshMs) return known.text;
    const read = readMetrics(this.#ports[node], { token: this.#token, localAddress: worldIp });
    const text = read.then((answer) => {
      if (answer.status === 200) return answer.text;
      throw new Error(`the metrics of ${name} answer ${answer.status}: ${answer.text}`);
    });
    this.#pages.set(node, { at: performance.now(), text });
    return text;
  }
}
