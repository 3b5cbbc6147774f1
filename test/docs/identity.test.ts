import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { createMetrics } from '../../runtime/base/observability/metrics.ts';
import { identitySettings, ignoredFlags } from '../../runtime/identity/config.ts';
import { identityMetrics } from '../../runtime/identity/identity-metrics.ts';

const page = readFileSync(new URL('../../docs/reference/identity.md', import.meta.url), 'utf8');

test('the reference of azimuth identity lists exactly its flags, with their defaults', () => {
  for (const { flag, env, default: fallback, meaning } of Object.values(identitySettings)) {
    const row = page.split('\n').find((line) => line.startsWith(`| \`--${flag}\``));
    expect(row).toContain(`\`${env}\``);
    expect(row).toContain(meaning);
    if (fallback !== '') expect(row).toContain(`\`${fallback}\``);
  }
  const listed = [...page.matchAll(/^\| `--([\w-]+)`/gm)].map(([, flag]) => flag);
  expect(listed).toHaveLength(Object.keys(identitySettings).length + Object.keys(ignoredFlags).length);
});

test('it lists exactly its metrics', async () => {
  const metrics = createMetrics();
  identityMetrics(metrics, { desired: () => 0, machines: () => 0, certificates: () => [] });
  const names = (await metrics.getMetricsAsJSON()).map(({ name }) => name).sort();
  const listed = [...page.matchAll(/^\| `((?:aadpodidentity|azimuth)_\w+)`/gm)].map(([, name]) => name).sort();
  expect(listed).toEqual(names);
});

test('it lists exactly the reasons of its conditions and events', () => {
  const shared = [
    'runtime/azure/identity/identity-{policy,fields}.ts',
    'runtime/api/pod-identity/identity-reference.ts',
  ];
  const files = globSync([...shared, 'runtime/identity/**/*.ts']);
  const code = files.map((file) => readFileSync(file, 'utf8'));
  const documented = new Set(
    code.flatMap((text) =>
      [...text.matchAll(/(?:[Rr]eason(?:: | = )|problem\(|fail\(\s*)'([^']+)'/g)].map(([, reason]) => reason),
    ),
  );
  const section = (title: string) => page.split(`## ${title}\n`)[1]?.split('\n## ')[0] ?? '';
  const [, first = ''] = /:([\s\S]*?)\.\s[A-Z]/.exec(section('Conditions')) ?? [];
  const listed = `${first} ${section('Events').replaceAll(/^\|[^|]*\|[^|]*\|/gm, '')}`;
  const names = [...listed.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
  expect([...new Set(names)].sort()).toEqual([...documented].sort());
});
