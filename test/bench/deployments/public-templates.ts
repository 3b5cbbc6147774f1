import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Figure } from '../bench.ts';

const folder = join(process.env['AZIMUTH_TEMPLATES'] ?? '../shared/templates', 'corpus');
const most = 10;
const runs = 9;
const goals = { milliseconds: 300, megabytes: 100 };

interface Measured {
  readonly milliseconds: number;
  readonly kib: number;
  readonly resources: number;
  readonly problems: number;
}

/** Files of the largest templates beside the checkout, or in the folder of AZIMUTH_TEMPLATES; none without it. */
function largest(): string[] {
  if (!existsSync(folder)) return [];
  const isTemplate = (name: string) => /^t[0-9]/.test(name) && name.endsWith('.json');
  const files = readdirSync(folder).filter((name) => isTemplate(name) && !name.endsWith('.parameters.json'));
  const sized = files.map((name) => ({ file: join(folder, name), size: statSync(join(folder, name)).size }));
  return sized
    .sort((a, b) => b.size - a.size)
    .slice(0, most)
    .map(({ file }) => file);
}

/** Expands in a thread whose heap has the bound of the goal; undefined where that is too little. */
function measured(file: string): Promise<Measured | undefined> {
  const young = 16;
  const resourceLimits = { maxOldGenerationSizeMb: goals.megabytes - young, maxYoungGenerationSizeMb: young };
  const program = new URL('public-template-worker.ts', import.meta.url);
  const worker = new Worker(program, { workerData: { file, runs }, resourceLimits });
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? resolve(undefined) : reject(error),
    );
  });
}

/** The ten largest public templates; one row that says so where they are not there. */
export async function publicTemplates(): Promise<Figure[]> {
  const files = largest();
  if (files.length === 0) {
    return [{ what: `NOT RUN: public templates, as there is no ${folder}`, ours: '', theirs: '', goal: '', ok: true }];
  }
  const figures: Figure[] = [];
  for (const file of files) {
    const result = await measured(file);
    const { milliseconds = Number.POSITIVE_INFINITY, kib, resources, problems } = result ?? {};
    const name = file.slice(folder.length + 1, folder.length + 5);
    figures.push({
      what: `public template ${name}, ${kib} KiB: ${resources} resources, ${problems} problems`,
      ours: result ? `${milliseconds.toFixed(0)} ms` : 'the heap is too small',
      theirs: '',
      goal: `under ${goals.milliseconds} ms, in a heap of ${goals.megabytes} MB`,
      ok: milliseconds < goals.milliseconds,
    });
  }
  return figures;
}
