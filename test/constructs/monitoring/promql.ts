import { parser } from '@prometheus-io/lezer-promql';

/** Grafana's variables stand where Prometheus wants a duration. */
const interval = /\$__rate_interval/g;

/** What Prometheus's own grammar does not understand of an expression, with its place; empty where it understands all. */
export function syntaxErrors(expression: string): string[] {
  const text = expression.replaceAll(interval, '5m');
  const errors: string[] = [];
  parser.parse(text).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) errors.push(`${from}: ${text.slice(from, Math.max(to, from + 10))}`);
    },
  });
  return errors;
}
