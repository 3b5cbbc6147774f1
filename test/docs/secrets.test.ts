import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { auditEvents } from '../../runtime/secrets/audit.ts';
import { secretsSettings } from '../../runtime/secrets/config.ts';
import { refusals } from '../../runtime/secrets/protocol/http-error.ts';
import { secretsMetricTable } from '../../runtime/secrets/secrets-metrics.ts';

const page = readFileSync(new URL('../../docs/reference/secrets.md', import.meta.url), 'utf8');
const rows = page.split('\n');

test('the reference of azimuth secrets lists exactly its flags, with their defaults', () => {
  for (const { flag, env, default: fallback, meaning } of Object.values(secretsSettings)) {
    const value = fallback === '' ? '' : `\`${fallback}\``;
    expect(rows).toContain(`| \`--${flag}\` | \`${env}\` | ${value} | ${meaning} |`);
  }
  expect([...page.matchAll(/^\| `--[\w-]+`/gm)]).toHaveLength(Object.keys(secretsSettings).length);
});

test('it lists exactly its refusals with their status, its metrics and its events', () => {
  const section = (title: string) => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const listed = [...section('Refusals').matchAll(/^\| `(\w+)` \| (\d+) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(Object.fromEntries(listed)).toEqual(refusals);
  for (const [name, { help, labelNames }] of Object.entries(secretsMetricTable))
    expect(rows).toContain(`| \`${name}\` | ${labelNames.map((label) => `\`${label}\``).join(', ')} | ${help} |`);
  expect([...section('Metrics').matchAll(/^\| `azimuth_/gm)]).toHaveLength(Object.keys(secretsMetricTable).length);
  for (const [name, meaning] of Object.entries(auditEvents)) expect(rows).toContain(`| \`${name}\` | ${meaning} |`);
});
