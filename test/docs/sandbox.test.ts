import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { systemClock } from '../../runtime/base/clock.ts';
import { sandboxSettings } from '../../runtime/cli/sandbox/config.ts';
import { AdminServer } from '../../sandbox/azure/admin/admin.ts';
import { defaultArmSettings } from '../../sandbox/azure/arm/behaviour.ts';
import { Behaviours } from '../../sandbox/azure/arm/behaviours/index.ts';
import { startEmbeddedAzure } from '../../sandbox/azure/azure.ts';
import { sandboxTypes, sandboxTypesPage } from '../../tools/reference/sandbox-types.ts';

const page = readFileSync('docs/reference/sandbox.md', 'utf8');
const found = (pattern: RegExp, text = page) => [...text.matchAll(pattern)].map(([, name]) => name).sort();

test('the reference lists exactly the flags, admin requests and settings of the code', async () => {
  expect(found(/^\| `(--[a-z-]+)` \|/gm)).toEqual(
    Object.values(sandboxSettings)
      .map(({ flag }) => `--${flag}`)
      .sort(),
  );
  expect(found(/^\| `arm\.(\w+)` \|/gm)).toEqual(Object.keys(defaultArmSettings).sort());
  const azure = await startEmbeddedAzure();
  const served = new AdminServer(azure, systemClock, 'token').paths;
  await azure.close();
  expect(found(/^\| `((?:GET|POST|PATCH|DELETE) [^`]+)` \|/gm)).toEqual([...served].sort());
});

test('the page of types is what the data of the embedded Azure yields, with each namespace once', () => {
  expect(readFileSync(sandboxTypesPage, 'utf8')).toBe(sandboxTypes());
  const names = new Behaviours().namespaces().map((name) => name.toLowerCase());
  expect(names).toEqual([...new Set(names)]);
});
