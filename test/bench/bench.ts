import { spawn } from 'node:child_process';

/** One line of a bench's result. */
export interface Figure {
  readonly what: string;
  readonly ours: string;
  /** The same measured on the library compared with, in the same run. */
  readonly theirs: string;
  /** Theirs in relation to ours, where both are quantities. */
  readonly ratio?: number;
  readonly goal: string;
  readonly ok: boolean;
}

export interface Bench {
  readonly name: string;
  readonly description: string;
  run(): Promise<readonly Figure[]>;
}

/** Runs the script at the path in a process of its own, and reads the JSON it prints as its last line. */
export async function measure<R>(script: string, args: readonly string[]): Promise<R> {
  const child = spawn(process.execPath, ['--expose-gc', script, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  if (code !== 0) throw new Error(`${script} ${args.join(' ')} ended with ${code}: ${output.slice(-2000)}`);
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as R;
}

/** The middle value; 0 of none. */
export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Prints a table; returns whether every goal was met. */
export function report(bench: Bench, figures: readonly Figure[]): boolean {
  const rows = figures.map(({ what, ours, theirs, ratio, goal, ok }) => [
    what,
    ours,
    theirs,
    ratio === undefined ? '' : `${ratio.toFixed(2)}x`,
    goal,
    ok ? 'OK' : 'MISS',
  ]);
  const table = [['measured', 'azimuth', 'compared', 'ratio', 'goal', ''], ...rows];
  const widths = table[0]?.map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0))) ?? [];
  console.log(`\n${bench.name}: ${bench.description}`);
  for (const row of table) console.log(`  ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd());
  return figures.every(({ ok }) => ok);
}
