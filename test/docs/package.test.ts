import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

const read = (path: string) => readFileSync(path, 'utf8');

test('the guide shows the example that the test of the package compiles and runs', () => {
  const guide = read('docs/guides/using-the-package.md');
  const shown = /^```ts\n(.*?)^```$/ms.exec(guide)?.[1];
  const example = read('docs/guides/using-the-package/shop.ts');
  expect(shown).toBe(example);
  expect(example.split('\n').length).toBeLessThan(30);
});

test('the guide names the oldest Node, the peers and the override of package.json', () => {
  const guide = read('docs/guides/using-the-package.md');
  const manifest = JSON.parse(read('package.json'));
  expect(guide).toContain(`Node.js ${manifest.engines.node.replace('>=', '')}`);
  for (const peer of Object.keys(manifest.peerDependencies)) expect(guide).toContain(`\`${peer}\``);
  expect(guide).toContain(`overrides.backport=${manifest.overrides.backport}`);
  expect(manifest.dependencies ?? {}).toEqual({});
});
