import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { version } from '../version.ts';

/** One registry per program, so that tests and the sandbox can run several programs in one process. */
export type Metrics = Registry;

/** Creates a registry; `program` adds the process metrics (memory, event loop, garbage collection) and the build. */
export function createMetrics(program?: string): Metrics {
  const registry = new Registry();
  if (program === undefined) return registry;
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'azimuth_build_info',
    help: 'Always 1; the labels have the program, and the versions of Azimuth and of Node.js.',
    labelNames: ['program', 'version', 'node_version'],
    registers: [registry],
  }).set({ program, version, node_version: process.versions.node }, 1);
  return registry;
}

/** Milliseconds within which the metrics are collected once, however many ask. */
const collectEveryMs = 250;

/** A function that collects the text of the metrics, at most once in a short time. */
export function metricsText(metrics: Metrics): () => Promise<string> {
  let collected: { readonly text: Promise<string>; readonly at: number } | undefined;
  return () => {
    const now = performance.now();
    if (!collected || now - collected.at >= collectEveryMs) collected = { text: metrics.metrics(), at: now };
    return collected.text;
  };
}

/** Name, help text and labels of a metric. */
export interface MetricOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly L[];
}

/** Returns the counter of that name, creating it on first use. */
export function counter<L extends string>(metrics: Metrics, options: MetricOptions<L>): Counter<L> {
  return (
    (metrics.getSingleMetric(options.name) as Counter<L> | undefined) ??
    new Counter({ ...options, registers: [metrics] })
  );
}

/** Returns the gauge of that name, creating it on first use. */
export function gauge<L extends string>(metrics: Metrics, options: MetricOptions<L>): Gauge<L> {
  return (
    (metrics.getSingleMetric(options.name) as Gauge<L> | undefined) ?? new Gauge({ ...options, registers: [metrics] })
  );
}

/** Returns the histogram of that name, creating it on first use. Buckets are in the unit of the metric's name. */
export function histogram<L extends string>(
  metrics: Metrics,
  options: MetricOptions<L> & { readonly buckets: readonly number[] },
): Histogram<L> {
  return (
    (metrics.getSingleMetric(options.name) as Histogram<L> | undefined) ??
    new Histogram({ ...options, buckets: [...options.buckets], registers: [metrics] })
  );
}
