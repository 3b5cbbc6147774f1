import { counter, gauge, histogram, type Metrics } from '../../base/observability/metrics.ts';

/** Outcomes of a reconcile run, as the metrics label them. */
export type ReconcileOutcome = 'success' | 'requeue_after' | 'error';

/** The metrics of one controller. */
export interface ControllerMetrics {
  active(change: 1 | -1): void;
  done(outcome: ReconcileOutcome, seconds: number): void;
  terminal(): void;
}

/** The metrics that controller-runtime gives its controllers, under the same names. */
export function controllerMetrics(metrics: Metrics, controller: string, concurrency: number): ControllerMetrics {
  const labelNames = ['controller'] as const;
  const total = counter(metrics, {
    name: 'controller_runtime_reconcile_total',
    help: 'Reconciliations by result.',
    labelNames: ['controller', 'result'],
  });
  const errors = counter(metrics, {
    name: 'controller_runtime_reconcile_errors_total',
    help: 'Reconciliations that failed.',
    labelNames,
  });
  const terminal = counter(metrics, {
    name: 'controller_runtime_terminal_reconcile_errors_total',
    help: 'Reconciliations that failed, and that no retry can fix.',
    labelNames,
  });
  const time = histogram(metrics, {
    name: 'controller_runtime_reconcile_time_seconds',
    help: 'Time of one reconciliation.',
    labelNames,
    buckets: [0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  });
  const active = gauge(metrics, {
    name: 'controller_runtime_active_workers',
    help: 'Workers that are reconciling.',
    labelNames,
  });
  const limit = gauge(metrics, {
    name: 'controller_runtime_max_concurrent_reconciles',
    help: 'Workers of the controller.',
    labelNames,
  });
  limit.set({ controller }, concurrency);
  active.set({ controller }, 0);
  for (const result of ['success', 'requeue_after', 'error']) total.inc({ controller, result }, 0);
  errors.inc({ controller }, 0);
  terminal.inc({ controller }, 0);
  return {
    active: (change) => active.inc({ controller }, change),
    done: (result, seconds) => {
      total.inc({ controller, result });
      if (result === 'error') errors.inc({ controller });
      time.observe({ controller }, seconds);
    },
    terminal: () => terminal.inc({ controller }),
  };
}
