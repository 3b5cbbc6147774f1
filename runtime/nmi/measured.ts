import type { Imds } from '../azure/identity/imds.ts';
import type { Clock } from '../base/clock.ts';
import type { NmiMetrics } from './nmi-metrics.ts';

/** Runs a request to Entra and counts it. */
export type Measure = <T>(work: () => Promise<T>) => Promise<T>;

/** Counts requests to the metadata endpoint, under upstream's names of the operations. */
export function measuredImds(imds: Imds, metrics: NmiMetrics, clock: Clock): Imds {
  return {
    token: (audience, selector, description, ...rest) => {
      const hasSelector = Object.keys(selector).length > 0;
      const operation = hasSelector ? 'adal_token_msi_userassignedid' : 'adal_token_msi';
      return measure(operation, metrics, clock)(() => imds.token(audience, selector, description, ...rest));
    },
    instance: (part, signal) => imds.instance(part, signal),
  };
}

/** Counts requests to Entra, under upstream's name of the operation. */
export function measuredEntra(metrics: NmiMetrics, clock: Clock): Measure {
  return measure('adal_token', metrics, clock);
}

function measure(operation: string, metrics: NmiMetrics, clock: Clock): Measure {
  return async (work) => {
    const started = clock.monotonic();
    let ok = false;
    try {
      const result = await work();
      ok = true;
      return result;
    } finally {
      metrics.upstream(operation, (clock.monotonic() - started) / 1000, ok);
    }
  };
}
