import type { Query } from './grafana.ts';

/** PromQL for a metric of the replicas that the reader selects. `matchers` are further ones, such as `kind=~"$kind"`. */
export const of = (metric: string, ...matchers: readonly string[]): string =>
  `${metric}{${['instance=~"$instance"', ...matchers].join(',')}}`;

/** The increase of a counter in a second. */
export const rate = (counter: string, ...matchers: readonly string[]): string =>
  `rate(${of(counter, ...matchers)}[$__rate_interval])`;

/** The sum for each set of values of these labels, separated by commas. */
export const sumBy = (labels: string, expression: string): string => `sum by (${labels}) (${expression})`;

/** The largest value for each set of values of these labels. */
export const maxBy = (labels: string, expression: string): string => `max by (${labels}) (${expression})`;

/** The 95th percentile of a histogram, for each set of values of these labels. */
export const p95 = (histogram: string, labels = '', ...matchers: readonly string[]): string => {
  const grouped = ['le', labels].filter(Boolean).join(', ');
  return `histogram_quantile(0.95, ${sumBy(grouped, rate(`${histogram}_bucket`, ...matchers))})`;
};

/** The queries of a panel with one. */
export const one = (expr: string, legend: string): readonly Query[] => [{ expr, legend }];
