import { Gauge } from 'prom-client';
import { counter, type Metrics } from '../../base/observability/metrics.ts';
import type { ResourceType } from '../client/types.ts';

/** Counts requests and events of a reflector; one set per registry, labelled by resource type (`plural.group`). */
export interface ReflectorMetrics {
  list(result: 'ok' | 'failed'): void;
  watch(result: 'ended' | 'failed' | 'relist'): void;
  event(type: string): void;
}

/** A resource may be cached several times, under different selectors. */
const sizes = new WeakMap<Metrics, Map<string, (() => number)[]>>();

/** The metrics of one reflector; `size` is called when the metrics are read. */
export function reflectorMetrics(metrics: Metrics, type: ResourceType, size: () => number): ReflectorMetrics {
  const resource = resourceLabel(type);
  const lists = counter(metrics, {
    name: 'azimuth_reflector_lists_total',
    help: 'LIST requests by result: ok or failed.',
    labelNames: ['resource', 'result'],
  });
  const watches = counter(metrics, {
    name: 'azimuth_reflector_watches_total',
    help: 'Watches by result: ended by the server, failed, or ended with a relist.',
    labelNames: ['resource', 'result'],
  });
  const events = counter(metrics, {
    name: 'azimuth_reflector_events_total',
    help: 'Watch events received.',
    labelNames: ['resource', 'type'],
  });
  const cached = sizesOf(metrics);
  cached.set(resource, [...(cached.get(resource) ?? []), size]);
  const byType = new Map<string, { inc(): void }>();
  return {
    list: (result) => lists.inc({ resource, result }),
    watch: (result) => watches.inc({ resource, result }),
    event: (type) => {
      let child = byType.get(type);
      if (!child) {
        child = events.labels({ resource, type });
        byType.set(type, child);
      }
      child.inc();
    },
  };
}

/** `pods`, `deployments.apps`. */
export function resourceLabel({ plural, group }: ResourceType): string {
  return group === '' ? plural : `${plural}.${group}`;
}

function sizesOf(metrics: Metrics): Map<string, (() => number)[]> {
  const existing = sizes.get(metrics);
  if (existing) return existing;
  const created = new Map<string, (() => number)[]>();
  sizes.set(metrics, created);
  new Gauge({
    name: 'azimuth_cache_objects',
    help: 'Objects held in the cache.',
    labelNames: ['resource'],
    registers: [metrics],
    collect() {
      for (const [resource, each] of created) {
        this.set(
          { resource },
          each.reduce((sum, size) => sum + size(), 0),
        );
      }
    },
  });
  return created;
}
