import type { EmbeddedAzure } from '../../../sandbox/azure/embedded-azure.ts';
import type { ServiceName } from '../../../sandbox/azure/journal.ts';
import type { RestartableOperator } from './restartable-operator.ts';

/** A write that the operator sends. */
export interface Write {
  /** `kube`, or a service of Azure. */
  readonly service: 'kube' | ServiceName;
  readonly method: string;
  readonly host: string;
  readonly path: string;
}

/** `before`: the write does not arrive; `after`: it does, and its answer is lost. */
export type When = 'before' | 'after';

/** The name of a write; undefined for one that is let through. A name is killed at once only. */
export type NameOf = (write: Write) => string | undefined;

/** Ends the operator with SIGKILL at each write to Azure and Kubernetes that has a name, and starts it anew. */
export class WriteKills {
  readonly #operator: RestartableOperator;
  #when: When = 'before';
  #nameOf: NameOf = () => undefined;
  #hits: string[] = [];
  #killing = false;

  constructor(operator: RestartableOperator, azure: EmbeddedAzure) {
    this.#operator = operator;
    const { faults } = azure;
    const take = faults.take.bind(faults);
    faults.take = (request) => {
      const { service, method, host, target } = request;
      const when = this.#judge({ service, method, host, path: target.replace(/\?.*/, '') });
      if (when === undefined) return take(request);
      return { id: 'kill', connection: when === 'before' ? 'hang' : 'hangAfter' };
    };
    operator.gate.judge = (method, path) =>
      this.#judge({ service: 'kube', method, host: '', path: path.replace(/\?.*/, '') });
    operator.gate.kill = () => undefined;
  }

  begin(when: When, nameOf: NameOf): void {
    this.#when = when;
    this.#nameOf = nameOf;
    this.#hits = [];
  }

  /** Names of the writes at which the operator was killed so far. */
  get hits(): readonly string[] {
    return this.#hits;
  }

  /** Ends the kills. Returns the names of the writes at which the operator was killed, in order. */
  end(): string[] {
    this.#nameOf = () => undefined;
    return this.#hits;
  }

  #judge(write: Write): When | undefined {
    if (write.method === 'GET') return undefined;
    const name = this.#nameOf(write);
    if (name === undefined) return undefined;
    // What a dying process still sends is met again later.
    if (this.#killing) return 'before';
    if (this.#hits.includes(name)) return undefined;
    this.#hits.push(name);
    this.#killing = true;
    void this.#operator.kill(() => {
      this.#killing = false;
    });
    return this.#when;
  }
}
