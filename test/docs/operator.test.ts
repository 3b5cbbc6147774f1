import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { v1Outputs } from '../../runtime/api/arm/key-vault-outputs.ts';
import { serializedTypes } from '../../runtime/arm-kinds/extensions/serialized-writes.ts';
import { adminKeys, adminRotation } from '../../runtime/arm-kinds/generated-admin-secret.ts';
import {
  annotations,
  credentialFinalizer,
  eventReasons,
  finalizer,
  labels,
  reasons,
  rotationReasons,
} from '../../runtime/arm-kinds/names.ts';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { rollReasons } from '../../runtime/compute/rolls/roll-plan.ts';
import { operatorHelp, settings } from '../../runtime/operator/config.ts';
import { credentialVariables } from '../../runtime/operator/credential-variables.ts';
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
    credentialFinalizer,
  ]);
  const ofInstances = Object.values(rollReasons).filter((reason) => reason !== rollReasons.delivered);
  expect([...rows('The Ready condition').keys()]).toEqual([...Object.values(reasons), ...ofInstances]);
  expect([...rows('The conditions KeysRotated and CredentialsRotated').keys()]).toEqual(Object.values(rotationReasons));
  const section = page.split(/^## /m).find((part) => part.startsWith('Generated credentials')) ?? '';
  const named = ['name', ...Object.values(adminKeys), adminRotation];
  const servers = [
    'sql.azure.com/Server',
    'dbforpostgresql.azure.com/FlexibleServer',
    'dbformysql.azure.com/FlexibleServer',
  ];
  const keys = servers.flatMap((kind) => Object.keys(v1Outputs[kind]?.keys ?? {}));
  for (const name of [...named, ...keys]) expect(section).toContain(`\`${name}\``);
  expect([...rows('Events').keys()]).toEqual(Object.values(eventReasons));
});

test('the page lists exactly the metrics that the operator adds', async () => {
  const metrics = createMetrics();
  operatorMetrics(metrics);
  const wanted = (await metrics.getMetricsAsJSON()).map(({ name, type, help }) => [name, `${type} | ${help}`]);
  expect([...rows('Metrics')]).toEqual(wanted);
});

test('the page lists exactly the types that take one write at a time', () => {
  const code = (text: string) => (/^\w+$/.test(text) ? `\`${text}\`` : text);
  const wanted = serializedTypes.map(({ type, except = [], because }) => [
    type,
    `${except.map(code).join(', ')} | ${code(because)}`,
  ]);
  expect([...rows('Writes one at a time')]).toEqual(wanted);
});
