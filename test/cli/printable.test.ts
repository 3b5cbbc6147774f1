/** Texts of others on the terminal of an administrator: no output of a command has a character that a terminal obeys. */

import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, expect, test } from '@jest/globals';
import { kinds } from '../../runtime/cli/commands/kinds.ts';
import { plan } from '../../runtime/cli/commands/plan.ts';
import { note } from '../../runtime/cli/exit/note.ts';
import { renderPlan } from '../../runtime/plan/render.ts';
import { scratch } from '../fakes/scratch.ts';
import { runCommand } from './run-command.ts';

const files = scratch();
afterAll(() => files.remove());

/** Sets the title, clears the screen (also by one character of C1), and turns the direction of writing. */
const hostile = 'a\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e';
const shown = String.raw`a\u001b]0;owned\u0007\u001b[2J\u009b2J\u202e`;
const manifest = JSON.stringify({ apiVersion: 'v1', kind: hostile, metadata: { name: hostile, namespace: hostile } });

test.each(['text', 'json'])('azimuth plan shows a name of a manifest, %s', async (output) => {
  const file = files.write('manifest.json', manifest);
  const { out, err } = await runCommand(plan, '/nowhere', ['--offline', '-o', output, '-f', file]);
  expect(out).toContain(shown);
  expect(`${out}${err}`).not.toMatch(/[^\P{C}\n]/u);
});

test.each(['json', 'mermaid', 'svg', 'text'] as const)(
  'a plan as %s has no character that a terminal obeys',
  (form) => {
    const change = {
      key: `X/${hostile}`,
      namespace: hostile,
      action: 'Create',
      paths: [],
      notes: [hostile],
      after: [],
    };
    const found = { changes: [change], problems: [{ path: hostile, message: hostile }], notes: [hostile] };
    expect(renderPlan(found as never, form, { colours: false })).not.toMatch(/[^\P{C}\n]/u);
  },
);

test('a problem with a file whose name has escape sequences is one printable line', async () => {
  const name = files.write(`b${hostile}.yaml`, 'a: [');
  await expect(runCommand(kinds, '/nowhere', ['-f', name])).rejects.toThrow(name);
  const { err } = await runCommand(
    async () => {
      note(`azimuth: ${name}\nsecond`);
      return 0;
    },
    '/nowhere',
    [],
  );
  expect(err).toContain(`b${shown}.yaml\\nsecond`);
});

test('no command writes to standard error but by the function that escapes', () => {
  const folder = 'runtime/cli/commands';
  const direct = readdirSync(folder).filter((file) =>
    /console\.error|stderr\.write/.test(readFileSync(`${folder}/${file}`, 'utf8')),
  );
  expect(direct).toEqual([]);
});
