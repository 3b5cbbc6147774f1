import { expect, test } from '@jest/globals';
import { lineScreen, terminalScreen } from '../../../runtime/view/watch/screen.ts';
import { block, view } from './support.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const running = (name: string) => block(name, 'Running', { action: 'Create', since: '2026-01-01T00:00:00Z' });

function terminal(size: { rows?: number; columns?: number } = {}, colours = false) {
  const written: string[] = [];
  const screen = terminalScreen({ ...size, write: (text) => written.push(text) }, { colours });
  return { screen, written };
}

test('a terminal gets the view again over the one before, with the time since', () => {
  const { screen, written } = terminal();
  screen.show(view(running('A/1')), start + 5000);
  screen.show(view(), start + 6000);
  expect(written[0]?.split('\n')).toEqual([
    '\r\u001b[0Jshop-2 (GoalChanged) Running 50%',
    'westeurope   Running  50% wave 1  5s',
    '  A/1        Running  Create      5s',
    'northeurope  Pending  0% wave 2',
    '',
  ]);
  expect(written[1]?.startsWith('\u001b[4A\r\u001b[0Jshop-2')).toBe(true);
  expect(written[1]).not.toContain('A/1');
});

test('what does not fit the terminal is cut, failures last', () => {
  const { screen, written } = terminal({ rows: 6, columns: 20 });
  const blocks = Array.from({ length: 30 }, (_, index) => running(`A/${index}`));
  screen.show(view(...blocks, block('A/bad', 'Failed')), start);
  const lines = (written[0] ?? '').trimEnd().split('\n');
  expect(lines).toHaveLength(5);
  expect(lines.join('\n')).toMatch(/A\/bad/);
  expect(lines.at(-1)).toBe('and 30 more');
  expect(lines.slice(1).every((line) => line.length <= 20)).toBe(true);
});

test('colours are on the state only', () => {
  const { screen, written } = terminal({}, true);
  screen.show(view(block('Failed/Failed', 'Failed')), start);
  expect(written[0]).toContain('\u001b[31mFailed\u001b[39m');
  expect(written[0]).toContain('  Failed/Failed  ');
});

test('other outputs get a line for each change, and the end of what was under way', () => {
  const written: string[] = [];
  const screen = lineScreen({ write: (text) => written.push(text) });
  screen.show(view(running('A/1'), block('A/2', 'Waiting')), start);
  screen.show(view(running('A/1'), block('A/2', 'Waiting')), start + 5000);
  screen.show(view(block('A/1', 'Succeeded', { action: 'Create' }), block('A/2', 'Succeeded')), start + 9000);
  expect(written).toEqual([
    'shop-2 (GoalChanged) Running 50%\nwesteurope Running 50% wave 1\n  A/1 Running Create\nnortheurope Pending 0% wave 2\n',
    '  A/1 Succeeded Create\n',
  ]);
});
