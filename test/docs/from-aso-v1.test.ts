import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { v1Outputs } from '../../runtime/api/arm/key-vault-outputs.ts';
import { tryKindOf } from '../../runtime/api/kinds.ts';
import { annotations, finalizer } from '../../runtime/arm-kinds/names.ts';
import { settings } from '../../runtime/operator/config.ts';

const page = readFileSync('docs/guides/from-aso-v1.md', 'utf8');
const section = (title: string) => page.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
const kinds = [...section('Kinds').matchAll(/^\| `(\w+)` \| (none|`([\w.]+)\/(\w+)`) \|/gm)];

test('every kind of v1 is named once, and every kind that takes its place is served', () => {
  const names = kinds.map(([, name]) => name);
  // v1's last release has 44 kinds.
  expect(names).toHaveLength(44);
  expect(new Set(names).size).toBe(44);
  const unknown = kinds.flatMap(([, name, , group, kind]) => (group && !tryKindOf(group, kind ?? '') ? [name] : []));
  expect(unknown).toEqual([]);
});

test('a kind whose secrets keep the names of v1 is documented as the successor of that kind', () => {
  const documented = new Map(kinds.map(([, name, , group, kind]) => [name, `${group}/${kind}`]));
  for (const [id, { kind }] of Object.entries(v1Outputs)) {
    // The keys of an event hub are those of its rule.
    const expected = kind === 'Eventhub' ? 'eventhub.azure.com/NamespacesEventhub' : id;
    expect([kind, documented.get(kind)]).toEqual([kind, expected]);
  }
});

test('names and keys of vault secrets are those of the code', () => {
  const rows = [...section('Secrets in a vault').matchAll(/^\| `(\w+)` \| `([^`]+)` \| (.*) \|$/gm)];
  const wanted = Object.values(v1Outputs).map(({ kind, keys, maps = {} }) => [
    kind,
    `${kind.toLowerCase()}-<namespace>-<name>`,
    [...Object.keys(keys), ...Object.keys(maps)],
  ]);
  const documented = rows.map(([, kind, secret, keys = '']) => {
    const words = keys.replaceAll(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g);
    return [kind, secret, [...words].map(([, word]) => word)];
  });
  expect(documented).toEqual(wanted);
});

test('annotations and settings that the page names are those of the code', () => {
  expect(page).toContain(`\`${annotations.reconcilePolicy}: skip\``);
  expect(page).toContain(`\`${finalizer}\``);
  expect(page).toContain(annotations.ignoreFields);
  for (const { env } of [settings.keyVault, settings.targetNamespaces]) expect(page).toContain(`\`${env}\``);
  for (const { flag } of [settings.healthPort, settings.leaderElection]) expect(page).toContain(`\`--${flag}\``);
});
