import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { armKinds } from '../../runtime/api/kinds.ts';

const guide = readFileSync('docs/guides/from-aso-v2.md', 'utf8');
const index = readFileSync('docs/reference/kinds.md', 'utf8');

/** ASO v2's kinds as they were read from its sources, in two files beside the checkout. */
const lists = ['../shared/cases/operator-catalogue.json', '../shared/cases/operator-catalogue-rest.json'];
const present = lists.every((file) => existsSync(file));
const missing = `NOT RUN: not all of ${lists.join(', ')} are there`;
if (!present) process.stderr.write(`${missing}\n`);

interface Listed {
  readonly group: string;
  readonly kind: string;
  readonly servedVersions: readonly { readonly name: string }[];
}

(present ? test : test.skip)(
  present ? 'every ARM kind of ASO v2 is there in every version, and the guide counts them' : missing,
  () => {
    const listed = lists.flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).kinds as Listed[]);
    const served = new Set(
      armKinds.flatMap(({ group, kind, versions }) => versions.map(({ name }) => `${group}/${name} ${kind}`)),
    );
    const wanted = listed.flatMap(({ group, kind, servedVersions }) =>
      servedVersions.map(({ name }) => `${group}/${name} ${kind}`),
    );
    expect(wanted.filter((each) => !served.has(each))).toEqual([]);
    expect(guide).toContain(`| ${listed.length} kinds of ARM resources | all, in every version`);
  },
);

test('the guide for users of ASO v2 calls no kind missing', () => {
  expect(guide).not.toMatch(/^\|.*\bmissing\b.*\|$/im);
});

test('the table of kinds has the newest version, the exports and the differences of each, and its page each of these', () => {
  for (const { group, kind, versions, arm } of armKinds) {
    const page = `kinds/${group.replace(/\.azure\.com$/, '')}.md`;
    const row = index.split('\n').find((line) => line.startsWith(`| [${kind}](${page}#`));
    const exported = [...arm.operatorSpec.secrets, ...arm.operatorSpec.configMaps];
    const cells = row?.split(' | ');
    expect(cells).toHaveLength(7);
    expect(cells?.[3]).toContain(`\`${versions[0]?.name}\``);
    expect(cells?.[5]?.trim()).toBe(exported.map((name) => `\`${name}\``).join(' '));
    const text = readFileSync(`docs/reference/${page}`, 'utf8').split(`\n## ${kind}\n`)[1]?.split('\n## ')[0] ?? '';
    for (const { name } of versions) expect(text).toContain(`\`${name}\``);
    expect(text).toMatch(/^\| differs from ASO v2 \| \S.* \|$/m);
  }
});
