import { FairLimit, type FairLimits } from '../../base/fairness/fair-limit.ts';

/** Limits that differ from the defaults. */
export interface LimitsOptions {
  /** @default {total: 4096, perNamespace: 2048, perAddress: 256} */
  readonly connections?: Partial<FairLimits>;
  /**
   * Requests in progress, those that wait for an assignment included. @default {total: 2048, perNamespace: 1024,
   * perAddress: 128}
   */
  readonly requests?: Partial<FairLimits>;
}

/** The limit that was reached, as metrics name it. */
export type Limit =
  | 'connections'
  | 'connections_per_namespace'
  | 'connections_per_address'
  | 'requests'
  | 'requests_per_namespace'
  | 'requests_per_address'
  | 'unanswered_requests';

/** The limits of connections and requests, shared out by pod and namespace. */
export class Limits {
  readonly connections: FairLimit<'connections'>;
  readonly requests: FairLimit<'requests'>;

  constructor({ connections, requests }: LimitsOptions = {}) {
    this.connections = new FairLimit('connections', {
      total: 4096,
      perNamespace: 2048,
      perAddress: 256,
      ...connections,
    });
    this.requests = new FairLimit('requests', { total: 2048, perNamespace: 1024, perAddress: 128, ...requests });
  }
}
