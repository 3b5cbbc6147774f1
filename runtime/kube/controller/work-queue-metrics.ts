import { Gauge } from 'prom-client';
import { counter, histogram, type Metrics } from '../../base/observability/metrics.ts';

/** The values of a queue that are read when the metrics are scraped. */
export interface QueueGauges {
  /** Items waiting to be taken, delayed ones not counted. */
  depth(): number;
  /** Seconds that each item being worked on has taken so far. */
  unfinishedSeconds(): number[];
}

/** The metrics of one work queue; times are in seconds. */
export interface QueueMetrics {
  added(): void;
  retried(): void;
  waited(seconds: number): void;
  worked(seconds: number): void;
}

const buckets = [0.001, 0.01, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900];
const registered = new WeakMap<Metrics, Map<string, QueueGauges>>();

/** The metrics that controller-runtime gives its queues, under the same names, so that existing dashboards fit. */
export function queueMetrics(metrics: Metrics, name: string, gauges: QueueGauges): QueueMetrics {
  const labelNames = ['name'] as const;
  const adds = counter(metrics, { name: 'workqueue_adds_total', help: 'Items added.', labelNames });
  const retries = counter(metrics, {
    name: 'workqueue_retries_total',
    help: 'Items added after a failure.',
    labelNames,
  });
  const waiting = histogram(metrics, {
    name: 'workqueue_queue_duration_seconds',
    help: 'Time an item waits in the queue.',
    labelNames,
    buckets,
  });
  const work = histogram(metrics, {
    name: 'workqueue_work_duration_seconds',
    help: 'Time of the work on an item.',
    labelNames,
    buckets,
  });
  queuesOf(metrics).set(name, gauges);
  adds.inc({ name }, 0);
  retries.inc({ name }, 0);
  return {
    added: () => adds.inc({ name }),
    retried: () => retries.inc({ name }),
    waited: (seconds) => waiting.observe({ name }, seconds),
    worked: (seconds) => work.observe({ name }, seconds),
  };
}

function queuesOf(metrics: Metrics): Map<string, QueueGauges> {
  const existing = registered.get(metrics);
  if (existing) return existing;
  const queues = new Map<string, QueueGauges>();
  registered.set(metrics, queues);
  const scraped = (name: string, help: string, value: (gauges: QueueGauges) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ['name'],
      registers: [metrics],
      collect() {
        for (const [queue, gauges] of queues) this.set({ name: queue }, value(gauges));
      },
    });
  scraped('workqueue_depth', 'Items in the queue.', (gauges) => gauges.depth());
  scraped('workqueue_unfinished_work_seconds', 'Time spent so far on all items under work.', (gauges) =>
    gauges.unfinishedSeconds().reduce((sum, seconds) => sum + seconds, 0),
  );
  scraped('workqueue_longest_running_processor_seconds', 'Time spent so far on the oldest item under work.', (gauges) =>
    Math.max(0, ...gauges.unfinishedSeconds()),
  );
  return queues;
}
