import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { defaultMebibytes, memoryVariables, nodeOptions } from '../../constructs/private/node-options.ts';

const page = readFileSync('docs/reference/memory.md', 'utf8');

test('the page names every flag and variable that bounds memory, and the memory that its figures were measured with', () => {
  const flags = nodeOptions(defaultMebibytes)
    .split(' ')
    .map((flag) => flag.split('=')[0]);
  for (const name of [...flags, ...Object.keys(memoryVariables)]) expect(page).toContain(`\`${name}`);
  const bound = /--max-old-space-size=(\d+)/.exec(nodeOptions(defaultMebibytes))?.[1];
  expect(page).toContain(`less ${defaultMebibytes - Number(bound)} MiB`);
  expect(page).toContain(`for ${defaultMebibytes}Mi`);
  expect(page).toContain(`\`ResourceOperator\` (${defaultMebibytes}Mi)`);
});

test('every reading of the page is within the memory of the container, and the page says where one misses the goal', () => {
  const goal = Number(/goal is\s+(\d+) MB/.exec(page)?.[1]);
  const container = defaultMebibytes * 1.048576;
  const readings = [...page.matchAll(/^\| .* \| (\d+) MB \| \d+ MB \| \d+ MB \| (\d+) MB \|$/gm)];
  expect(readings).toHaveLength(5);
  const most = readings.map(([row, rss, peak]) => [row, Math.max(Number(rss), Number(peak))] as const);
  expect(most.filter(([, megabytes]) => megabytes > container)).toEqual([]);
  const misses = most.some(([, megabytes]) => megabytes > goal);
  expect(/miss the goal/.test(page)).toBe(misses);
});
