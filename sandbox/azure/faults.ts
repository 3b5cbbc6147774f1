import type { ServiceName } from './journal.ts';
import type { Json } from './json.ts';

/** A fault, and the requests that it hits. Members that select are combined with "and". */
export interface Fault {
  readonly id?: string;
  readonly service?: ServiceName;
  readonly method?: string;
  /** Regular expression on path and query, case-insensitive. */
  readonly path?: string;
  /** Regular expression on the Host header. */
  readonly host?: string;
  /** Requests to let through before the first one that is hit. @default 0 */
  readonly skip?: number;
  /** How many requests are hit. @default 1; 0 = until it is removed */
  readonly times?: number;
  /** Milliseconds (of real time) to wait before anything else happens. */
  readonly delayMs?: number;
  /** Answer with this status instead of doing anything. */
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Object: sent as JSON. Text: sent as it is, as HTML if it begins with `<`. */
  readonly body?: Json | string;
  /** `drop` closes the connection, `hang` never answers; `dropAfter` and `hangAfter` do the work first. */
  readonly connection?: 'drop' | 'hang' | 'dropAfter' | 'hangAfter';
  /** Lets the request through, but the operation it starts shall end like this. */
  readonly operation?: { readonly state: 'failed' | 'canceled'; readonly code: string; readonly message: string };
}

interface ActiveFault extends Fault {
  readonly id: string;
  skipped: number;
  hits: number;
}

/** The faults that are set; the first one that matches a request is used up by one. */
export class Faults {
  readonly #active: ActiveFault[] = [];
  #count = 0;

  add(fault: Fault): string {
    if (fault.path !== undefined) new RegExp(fault.path);
    if (fault.host !== undefined) new RegExp(fault.host);
    this.#count += 1;
    const id = fault.id ?? `fault-${this.#count}`;
    this.#active.push({ ...fault, id, skipped: 0, hits: 0 });
    return id;
  }

  remove(id: string): boolean {
    const index = this.#active.findIndex((fault) => fault.id === id);
    if (index >= 0) this.#active.splice(index, 1);
    return index >= 0;
  }

  clear(): void {
    this.#active.length = 0;
  }

  list(): readonly (Fault & { readonly hits: number })[] {
    return this.#active;
  }

  take(request: {
    service: ServiceName;
    method: string;
    target: string;
    host: string;
  }): (Fault & { id: string }) | undefined {
    for (const fault of this.#active) {
      if (fault.service !== undefined && fault.service !== request.service) continue;
      if (fault.method !== undefined && fault.method.toUpperCase() !== request.method) continue;
      if (fault.path !== undefined && !new RegExp(fault.path, 'i').test(request.target)) continue;
      if (fault.host !== undefined && !new RegExp(fault.host, 'i').test(request.host)) continue;
      const times = fault.times ?? 1;
      if (times > 0 && fault.hits >= times) continue;
      if (fault.skipped < (fault.skip ?? 0)) {
        fault.skipped += 1;
        continue;
      }
      fault.hits += 1;
      return fault;
    }
    return undefined;
  }
}
