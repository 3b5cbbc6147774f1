import { styleText } from 'node:util';
import { age } from '../age.ts';
import { textTable } from '../text-table.ts';
import type { RunLine, RunView } from './run-view.ts';

/** Where the view is written. */
export interface Output {
  write(text: string): unknown;
  /** Lines and columns of a terminal. */
  readonly rows?: number;
  readonly columns?: number;
}

/** Shows one view after the other. */
export interface Screen {
  /** `now`: milliseconds since the epoch. */
  show(view: RunView, now: number): void;
}

const colours: Readonly<Record<string, Parameters<typeof styleText>[0]>> = {
  Succeeded: 'green',
  Failed: 'red',
  Skipped: 'yellow',
  Stopped: 'yellow',
  Running: 'cyan',
};
const stateColumn = 1;
const controlSequence = '\u001b';

/** Replaces the lines of the view before; content that does not fit the terminal is cut, the locations last. */
export function terminalScreen(output: Output, options: { readonly colours: boolean }): Screen {
  let before = 0;
  return {
    show(view, now) {
      const { rows = 24, columns = 80 } = output;
      const lines = screenLines(view, now, { rows: rows - 1, columns, colours: options.colours });
      const up = before > 0 ? `${controlSequence}[${before}A` : '';
      output.write(`${up}\r${controlSequence}[0J${lines.join('\n')}\n`);
      before = lines.length;
    },
  };
}

function screenLines(
  view: RunView,
  now: number,
  size: { readonly rows: number; readonly columns: number; readonly colours: boolean },
): string[] {
  const active = view.lines.filter(({ matters }) => matters);
  const room = Math.max(1, size.rows - 2);
  const kept = active.length > room ? new Set([...active].sort(byNeed).slice(0, room)) : new Set(active);
  const left = active.length - kept.size;
  const cells = active.filter((line) => kept.has(line)).map((line) => cellsOf(line, now));
  const table = textTable(cells).map((text) => cut(text, size.columns));
  const painted = size.colours ? table.map((text, index) => paintState(text, cells, index)) : table;
  return [cut(view.title, size.columns), ...painted, ...(left > 0 ? [`and ${left} more`] : [])];
}

/** Failures first, then locations, then the rest. */
function byNeed(a: RunLine, b: RunLine): number {
  return needOf(a) - needOf(b);
}

const needOf = ({ state, level }: RunLine) => (state === 'Failed' ? 0 : level === 0 ? 1 : state === 'Running' ? 2 : 3);

/** Colours the state of a line that is cut already: escape sequences have no width. */
function paintState(text: string, cells: readonly (readonly string[])[], index: number): string {
  const state = cells[index]?.[stateColumn] ?? '';
  const start = Math.max(...cells.map((each) => each[0]?.length ?? 0)) + 2;
  const colour = Object.hasOwn(colours, state) ? colours[state] : undefined;
  if (!colour || text.slice(start, start + state.length) !== state) return text;
  return `${text.slice(0, start)}${styleText(colour, state, { validateStream: false })}${text.slice(start + state.length)}`;
}

function cellsOf({ level, name, state, progress, reason, message, since }: RunLine, now: number): string[] {
  const indent = '  '.repeat(level);
  return [`${indent}${name}`, state, progress, age(since, now), reason, message];
}

function cut(text: string, columns: number): string {
  return text.length > columns ? `${text.slice(0, Math.max(0, columns - 1))}…` : text;
}

/** Writes a line for each change: a file or a log has no place to go back to. */
export function lineScreen(output: Output): Screen {
  const written = new Map<string, string>();
  let title = '';
  return {
    show(view) {
      const lines: string[] = [];
      if (view.title !== title) lines.push(view.title);
      title = view.title;
      for (const line of view.lines) {
        const { key, level, name, state, progress, reason, message, matters } = line;
        const text = [name, state, progress, reason, message].filter((part) => part !== '').join(' ');
        const former = written.get(key);
        if (former === text || (former === undefined && !matters)) continue;
        lines.push(`${'  '.repeat(level)}${text}`);
        written.set(key, text);
      }
      if (lines.length > 0) output.write(`${lines.join('\n')}\n`);
    },
  };
}
