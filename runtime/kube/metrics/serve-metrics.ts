import { counter, type Metrics } from '../../base/observability/metrics.ts';
import { MetricsServer } from '../../base/observability/metrics-server.ts';
import { MetricsReaders, type MetricsReadersDeps } from './metrics-readers.ts';

/** Where the metrics of a program are, as its flags have it. */
export interface MetricsAddress {
  /** Undefined: on the health port, for everybody. */
  readonly metricsPort: number | undefined;
  /** Address of the health port and of this one. */
  readonly healthAddress: string | undefined;
}

/** Registers the counter of reads. */
export const metricsReads = (metrics: Metrics) =>
  counter(metrics, {
    name: 'azimuth_metrics_reads_total',
    help: 'Reads of the metrics with a token, by HTTP status of the answer.',
    labelNames: ['status'],
  });

/** Listens for readers of the metrics. Undefined where the health port has the metrics. */
export async function serveMetrics(
  { metricsPort, healthAddress }: MetricsAddress,
  { metrics, ...parts }: MetricsReadersDeps & { readonly metrics: Metrics },
): Promise<{ readonly port: number; close(): Promise<void> } | undefined> {
  if (metricsPort === undefined) return undefined;
  const readers = new MetricsReaders(parts);
  const reads = metricsReads(metrics);
  const server = new MetricsServer(metrics, async (token, address) => {
    const decision = await readers.decide(token, address);
    reads.inc({ status: String(decision.status) });
    return decision;
  });
  return { port: await server.listen(metricsPort, healthAddress), close: () => server.close() };
}
