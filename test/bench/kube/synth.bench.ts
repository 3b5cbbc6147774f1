import { spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorKinds } from '../../../runtime/api/kinds.ts';
import type { Bench, Figure } from '../bench.ts';

const runs = 5;
/** Seconds of processor time for a synthesis of all kinds, and of the default. */
const goals = { all: 1.3, platform: 0.4 };

/** Prints the microseconds of processor time that the process used. */
const meter = `data:text/javascript,process.on('exit',()=>{const{user,system}=process.cpuUsage();console.log(user+system)})`;

/** Seconds of processor time, user and system, of one synthesis: the median of several. */
function cpuSeconds(kinds: string): number {
  const times = Array.from({ length: runs }, () => {
    const env = { ...process.env, AZIMUTH_KINDS: kinds, CDK8S_OUTDIR: mkdtempSync(join(tmpdir(), 'synth-')) };
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', meter, '--import', './bin/compile-cache.js', 'main.ts'],
      { env, encoding: 'utf8' },
    );
    const used = Number(stdout.trim().split('\n').at(-1));
    if (!(used > 0)) throw new Error(stderr);
    return used / 1e6;
  });
  return times.sort((a, b) => a - b)[Math.floor(runs / 2)] ?? 0;
}

/** The processor time of `npm run synth`, with all kinds and with those of an app without objects. */
export const bench: Bench = {
  name: 'synth',
  description: 'processor time of a synthesis with every kind, against one with the default',
  async run(): Promise<readonly Figure[]> {
    // The first run keeps the compiled code.
    cpuSeconds('');
    const all = cpuSeconds('*');
    const none = cpuSeconds('');
    return [
      {
        what: `definitions of ${operatorKinds.length} kinds, every version, s of CPU`,
        ours: all.toFixed(2),
        theirs: `default ${none.toFixed(2)}`,
        ratio: none / all,
        goal: `below ${goals.all}`,
        ok: all < goals.all,
      },
      {
        what: 'the platform with the default kinds, s of CPU',
        ours: none.toFixed(2),
        theirs: '',
        goal: `below ${goals.platform}`,
        ok: none < goals.platform,
      },
    ];
  },
};
