import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { errorTable } from '../../runtime/base/errors.ts';
import { flexvolumeSettings } from '../../runtime/cli/flexvolume.ts';
import { defaultSettings } from '../../runtime/volumes/options/settings.ts';
import {
  agentFlagTable,
  formatTable,
  optionTable,
  parameterTables,
  volumeEventTable,
  volumeMetricRows,
} from '../../tools/reference/volume-reference.ts';

const page = readFileSync('docs/reference/key-vault-volumes.md', 'utf8');
const found = (pattern: RegExp, text: string) => [...text.matchAll(pattern)].map(([, name]) => name ?? '').sort();

test('the reference has the options and formats of the code', () => {
  expect(page).toContain(optionTable());
  expect(page).toContain(formatTable());
  for (const table of parameterTables()) expect(page).toContain(table);
});

test("the reference has the node agent's flags, metrics and events", () => {
  expect(page).toContain(`\n\n${volumeEventTable()}\n\n`);
  expect(page).toContain(`\n\n${agentFlagTable()}\n\n`);
  expect(page).toContain(`\n\n${volumeMetricRows()}\n\n`);
});

test('the reference has every error that volumes raise, and no other', () => {
  const raised = globSync('runtime/volumes/**/*.ts').flatMap((file) =>
    found(/'(AZ_[A-Z_]+)'/g, readFileSync(file, 'utf8')),
  );
  // What the parts of the Azure side raise.
  const beneath = ['AZ_AUTH_UNREACHABLE', 'AZ_AUTH_FAILED', 'AZ_KEYVAULT_REFUSED', 'AZ_KEYVAULT_UNREACHABLE'];
  const listed = found(/^\| `(AZ_[A-Z_]+)` \|/gm, page);
  expect(listed).toEqual([...new Set([...raised, ...beneath])].sort());
  expect(Object.keys(errorTable)).toEqual(expect.arrayContaining(listed));
});

test('the reference has every setting with its default, and every flag', () => {
  const rows = [...page.matchAll(/^\| `([a-z]\w+)` \| `([^`]*)` \| /gm)].filter(
    ([, name]) => name && name in defaultSettings,
  );
  const shown = {
    ...defaultSettings,
    environment: '{}',
    agentSocket: 'none',
    filePermission: '0440',
    machineIdentities: '[]',
  };
  expect(Object.fromEntries(rows.map(([, name, value]) => [name, value]))).toEqual(
    Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, String(value)])),
  );
  const alone = page.slice(page.indexOf('## Installing the driver alone'));
  expect(found(/^\| `(--[a-z-]+)` \|/gm, alone)).toEqual(
    Object.values(flexvolumeSettings)
      .map(({ flag }) => `--${flag}`)
      .sort(),
  );
  expect(found(/^\| `--[a-z-]+` \| `([A-Z_]+)`/gm, alone)).toEqual(
    Object.values(flexvolumeSettings)
      .map(({ env }) => env)
      .sort(),
  );
});
