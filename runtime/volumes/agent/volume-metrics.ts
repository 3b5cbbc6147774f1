import { counter, gauge, histogram, type Metrics } from '../../base/observability/metrics.ts';

/** Name, labels and meaning of each metric. docs/reference/key-vault-volumes.md lists these. */
export const volumeMetricTable = {
  azimuth_volumes_mounts_total: {
    help: 'Volumes that drivers requested, by result: mounted or failed.',
    labelNames: ['result'],
  },
  azimuth_volumes_mount_duration_seconds: {
    help: "Time to answer a driver: authenticating the pod, tokens, the vault's answers, formats.",
    labelNames: [],
  },
  azimuth_volumes_kept: { help: 'Volumes that the agent refreshes.', labelNames: [] },
  azimuth_volumes_refreshes_total: {
    help: 'Refreshes of such volumes, by result: unchanged, changed or failed.',
    labelNames: ['result'],
  },
  azimuth_volumes_refresh_age_seconds: {
    help: 'Time since the last successful read, of the volume with the oldest one.',
    labelNames: [],
  },
  azimuth_volumes_restarts_total: {
    help: 'Requested restarts of workloads, by result: restarted, refused or failed.',
    labelNames: ['result'],
  },
  azimuth_volumes_driver_installed: {
    help: '1 while the driver on the node is the driver of this agent.',
    labelNames: [],
  },
  azimuth_volumes_driver_repairs_total: {
    help: 'Repairs of a missing or changed driver.',
    labelNames: [],
  },
} as const;

type Name = keyof typeof volumeMetricTable;

const mountBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 90];

/** The metrics of the node agent. */
export class VolumeMetrics {
  readonly #metrics: Metrics;
  readonly #mounts;
  readonly #duration;
  readonly #refreshes;
  readonly #restarts;
  readonly #repairs;

  constructor(metrics: Metrics) {
    this.#metrics = metrics;
    this.#mounts = counter(metrics, row('azimuth_volumes_mounts_total'));
    this.#duration = histogram(metrics, {
      ...row('azimuth_volumes_mount_duration_seconds'),
      buckets: mountBuckets,
    });
    this.#refreshes = counter(metrics, row('azimuth_volumes_refreshes_total'));
    this.#restarts = counter(metrics, row('azimuth_volumes_restarts_total'));
    this.#repairs = counter(metrics, row('azimuth_volumes_driver_repairs_total'));
  }

  mount(result: 'mounted' | 'failed', ms: number): void {
    this.#mounts.inc({ result });
    this.#duration.observe(ms / 1000);
  }

  refresh(result: 'unchanged' | 'changed' | 'failed'): void {
    this.#refreshes.inc({ result });
  }

  restart(result: 'restarted' | 'refused' | 'failed'): void {
    this.#restarts.inc({ result });
  }

  /** Of an agent that installs the driver; any other one has no such metric. */
  installed(is: boolean): void {
    gauge(this.#metrics, row('azimuth_volumes_driver_installed')).set(is ? 1 : 0);
  }

  repaired(): void {
    this.#repairs.inc();
  }

  /** Registers the gauges of refreshed volumes, which each scrape reads. */
  onScrape(read: () => { readonly count: number; readonly oldestSeconds: number }): void {
    const count = gauge(this.#metrics, row('azimuth_volumes_kept'));
    const age = gauge(this.#metrics, row('azimuth_volumes_refresh_age_seconds'));
    Object.assign(count, { collect: () => count.set(read().count) });
    Object.assign(age, { collect: () => age.set(read().oldestSeconds) });
  }
}

function row<N extends Name>(name: N) {
  const { help, labelNames } = volumeMetricTable[name];
  return { name, help, labelNames: labelNames as readonly (typeof volumeMetricTable)[N]['labelNames'][number][] };
}
