import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../../runtime/base/metrics.ts';
import { credentialVariables, operatorHelp, settings } from '../../runtime/operator/config.ts';
import {
  annotations,
  eventReasons,
  finalizer,
  labels,
  reasons,
  rotationReasons,
} from '../../runtime/operator/names.ts';
import { operatorMetrics } from '../../runtime/operator/operator-metrics.ts';

const page = readFileSync('docs/reference/operator.md', 'utf8');

/** The first column of a section's table, with the rest of each row. */
function rows(section: string): Map<string, string> {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${section}\n`)) ?? '';
  const found = [...text.matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(
    ([, name = '', rest = '']) => [name, rest] as const,
  );
  return new Map(found);
}

test('the page lists exactly the flags, with variable, default and meaning', () => {
  const wanted = Object.values(settings).map(({ flag, env, default: fallback, meaning }) => [
    `--${flag}`,
    `\`${env}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${meaning}`,
  ]);
  expect([...rows('Flags')]).toEqual(wanted);
  for (const { flag, env } of Object.values(settings)) {
    expect(operatorHelp()).toContain(`--${flag}`);
    expect(operatorHelp()).toContain(env);
  }
});

test('the page lists exactly the variables, annotations, labels, reasons and events of the code', () => {
  expect([...rows('Environment of the credential')]).toEqual(Object.entries(credentialVariables));
  expect([...rows('Annotations, labels, finalizer').keys()]).toEqual([
    ...Object.values(annotations),
    ...Object.values(labels),
    finalizer,
  ]);
  expect([...rows('The Ready condition').keys()]).toEqual(Object.values(reasons));
  expect([...rows('The KeysRotated condition').keys()]).toEqual(Object.values(rotationReasons));
  expect([...rows('Events').keys()]).toEqual(Object.values(eventReasons));
});

test('the page lists exactly the metrics that the operator adds', async () => {
  const metrics = createMetrics();
  operatorMetrics(metrics);
  const wanted = (await metrics.getMetricsAsJSON()).map(({ name, type, help }) => [name, `${type} | ${help}`]);
  expect([...rows('Metrics')]).toEqual(wanted);
});
