import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';

const folder = 'docs/adr';
const records = readdirSync(folder).filter((name) => /^\d{4}-[a-z0-9-]+\.md$/.test(name));
const read = (name: string) => readFileSync(`${folder}/${name}`, 'utf8');
const required = ['Context', 'Decision', 'Options that lost', 'Consequences'];

/** The headings of one level, without those in fenced code. */
const headings = (text: string, level: number) =>
  text
    .replaceAll(/^```.*?^```/gms, '')
    .split('\n')
    .filter((line) => line.startsWith(`${'#'.repeat(level)} `))
    .map((line) => line.slice(level + 1));

const head = (text: string) =>
  /^# (?<number>\d{4}) (?<title>.+)\n\nStatus: (?<status>accepted|superseded by (?<by>\d{4}))\n/.exec(text)?.groups;

describe('every ADR follows the template', () => {
  test.each(records)('%s', (name) => {
    const text = read(name);
    expect(head(text)).toMatchObject({ number: name.slice(0, 4), title: expect.not.stringMatching(/\.$/) });
    expect(headings(text, 1)).toHaveLength(1);
    expect(headings(text, 2)).toEqual(required);
    for (const section of text.split(/^## /m).slice(1))
      expect(section.split('\n').slice(1).join('').trim()).not.toBe('');
  });
});

test('each number belongs to one ADR, none is left out, and an ADR that replaces another one exists', () => {
  const numbers = records.map((name) => name.slice(0, 4));
  expect(numbers.sort()).toEqual(numbers.map((_, index) => String(index + 1).padStart(4, '0')));
  for (const by of records.map((name) => head(read(name))?.['by'])) if (by) expect(numbers).toContain(by);
});

test('the index lists every ADR with its title and status, and nothing else', () => {
  const rows = read('README.md')
    .split('\n')
    .filter((line) => line.startsWith('| ['));
  const expected = records.sort().map((name) => {
    const { number, title, status } = head(read(name)) ?? {};
    return `| [${number}](${name}) | ${title} | ${status} |`;
  });
  expect(rows).toEqual(expected);
});

test('the template in the index has the sections that the ADRs must have', () => {
  const template = /^```markdown\n(.*?)^```/ms.exec(read('README.md'))?.[1] ?? '';
  expect(headings(template, 2)).toEqual(required);
});

test('the measurements have a section for ADRs that exist, in their order, and each of these refers to its section', () => {
  const numbers = headings(read('measurements.md'), 2).map((title) => title.replace(/^ADR /, ''));
  expect(numbers).toEqual(numbers.toSorted());
  const referring = records.filter((name) => read(name).includes('](measurements.md#adr-'));
  expect(referring.map((name) => name.slice(0, 4))).toEqual(numbers);
});
