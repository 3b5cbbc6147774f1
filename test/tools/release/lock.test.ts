import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { imageContent } from '../../../tools/clusters/dockerfile.ts';
import { processors, readLock } from '../../../tools/release/images/packages.ts';

const { node, debian } = readLock();

test('the images have the Node.js of package.json', () => {
  expect(node.version).toBe(JSON.parse(readFileSync('package.json', 'utf8')).devDependencies.node);
});

test.each(processors)(
  'the lock for %s names the packages of the Dockerfile, each by version and SHA-256',
  (processor) => {
    const { base, tools } = debian[processor];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...imageContent('node').packages]));
    for (const { version, sha256 } of [...base, ...tools]) {
      expect(version).toMatch(/^\d/);
      expect(sha256).toMatch(/^[0-9a-f]{64}$/);
    }
    expect(node.integrity[processor]).toMatch(/^sha512-/);
  },
);

test('both processors have the same packages', () => {
  const names = processors.map((processor) => {
    const { base, tools } = debian[processor];
    return { base: base.map(({ name }) => name), tools: tools.map(({ name }) => name) };
  });
  expect(names[1]).toEqual(names[0]);
});
