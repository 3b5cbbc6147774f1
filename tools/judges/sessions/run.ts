/**
 * Replays recorded sessions of the real Azure on the embedded one and prints, by type, how far the answers agree.
 * Words select sessions by their names. `--differences` adds what differs, `--type` shows only types with that text,
 * `--record` writes figures that have risen to figures.json.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { differencesOf } from '../../../sandbox/sessions/differences.ts';
import type { Group } from '../../../sandbox/sessions/groups.ts';
import { Player } from '../../../sandbox/sessions/player.ts';
import { type Outcome, replaySession } from '../../../sandbox/sessions/replay.ts';
import { readSessions } from '../../../sandbox/sessions/session.ts';
import { agreeingOf, figureNames, figuresOf, percentagesOf } from './figures.ts';
import { fallenFigures, type Held, recordFigures } from './held.ts';
import { judgedPuts, operatorDifferences, operatorFigures } from './operator.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    differences: { type: 'boolean', default: false },
    type: { type: 'string' },
    record: { type: 'boolean', default: false },
  },
});
const held = resolve(import.meta.dirname, 'figures.json');
const groups: readonly Group[] = ['catalogue', 'platform', 'actions', 'rest'];

const folder = resolve(process.env['AZIMUTH_SESSIONS'] ?? '../shared/sessions');
const sessions = readSessions(folder, positionals);
if (!sessions) {
  console.log('NOT RUN: the recorded sessions are not there. AZIMUTH_SESSIONS names their folder.');
  process.exit(0);
}
const player = await Player.start();
const outcomes: Outcome[] = [];
for (const session of sessions) outcomes.push(...(await replaySession(session, player)));
await player.close();

const { type } = values;
const shown = outcomes.filter(
  ({ subject }) => type === undefined || subject.type.toLowerCase().includes(type.toLowerCase()),
);
const columns = ['', 'requests', ...figureNames];
const row = (name: string, of: readonly Outcome[]) => {
  const percentages = percentagesOf(figuresOf(of));
  return [name, String(of.length), ...figureNames.map((figure) => percentages[figure]?.toFixed(1) ?? '')];
};
const rows = [columns];
for (const group of groups) {
  const ofGroup = shown.filter(({ subject }) => subject.group === group);
  const byType = [...Map.groupBy(ofGroup, ({ subject }) => subject.type)].sort(([, a], [, b]) => b.length - a.length);
  if (ofGroup.length === 0) continue;
  rows.push(row(group.toUpperCase(), ofGroup));
  for (const [name, of] of byType) rows.push(row(`  ${name}`, of));
}
const widths = columns.map((_, index) => Math.max(...rows.map((cells) => cells[index]?.length ?? 0)));
for (const cells of rows) {
  console.log(
    cells
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[index] ?? 0)))
      .join('  '),
  );
}
if (values.differences) console.log(`\n${differencesOf(shown).join('\n')}`);
const newer = outcomes.filter(({ newerVersion }) => newerVersion).length;
console.log(`\n${sessions.length} sessions, ${outcomes.length} requests counted, ${newer} with a newer api-version.`);

const puts = sessions.flatMap(judgedPuts);
const operator = operatorFigures(puts);
console.log(
  `The operator over ${puts.length} PUTs that Azure showed later: ${operator['once']?.percent} % sent once, ` +
    `${operator['changes']?.percent} % of the changes by others seen.`,
);
if (values.differences) console.log(`\n${operatorDifferences(puts).join('\n')}`);

if (positionals.length === 0) {
  const now = { ...Object.fromEntries(groups.map((group) => [group, heldOf(group)])), operator };
  const fallen = fallenFigures(held, now);
  for (const line of fallen) console.error(`FELL: ${line}`);
  if (fallen.length > 0) process.exitCode = 1;
  else if (values.record) recordFigures(held, now);
}

function heldOf(group: Group): Held {
  const figures = figuresOf(outcomes.filter(({ subject }) => subject.group === group));
  const [percentages, agreeing] = [percentagesOf(figures), agreeingOf(figures)];
  return Object.fromEntries(
    figureNames.flatMap((figure) => {
      const percent = percentages[figure];
      return percent === undefined ? [] : [[figure, { percent, agreeing: agreeing[figure] }]];
    }),
  );
}
