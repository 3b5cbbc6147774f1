import { calmRollout, disturbedRollout } from '../../compute/managed-secrets/rollout-histories.ts';
import { automaticHistory, calmHistory, disturbedHistory } from '../../compute/rolls/histories.ts';
import { rollCounts } from '../../compute/rolls/roll-counts.ts';
import type { Bench, Figure } from '../bench.ts';
import { manualSet } from './manual-set.ts';
import { twoRegions } from './two-regions.ts';

const histories = 10_000;
const seeds = Array.from({ length: histories }, (_, index) => index + 1);

/**
 * Rolls of scale sets in simulated time: limits of the upgrade policy, rolls that end, and the time that they take. Then
 * an operator as a process: its requests and its memory.
 */
export const bench: Bench = {
  name: 'rolls',
  description: `${histories} histories of sets of 3 to 300 instances of modes Rolling and Manual with illness, protection, surge, rollback, kills, lost requests and answers, maintenance windows, and new models half-way; rollouts of secrets over regions; then a set of mode Manual of 1,000 instances, and two regions of 1,000 each`,
  run: async () => [
    ...disturbed(),
    calm(),
    automatic(),
    ...rollouts(),
    ...(await manualSet()),
    ...(await twoRegions()),
  ],
};

function disturbed(): Figure[] {
  const results = seeds.map((seed) => ({ seed, ...disturbedHistory(seed) }));
  const wrong = (isWrong: (result: (typeof results)[number]) => boolean) => results.filter(isWrong);
  const kinds = rollCounts.map((what) => `${what} in ${results.filter(({ counts }) => counts[what] > 0).length}`);
  return [
    none(
      'batches of Azure or of the operator beyond a limit',
      wrong(({ violations }) => violations.length > 0),
    ),
    none(
      'writes that ask for what is under way or done',
      wrong(({ duplicates }) => duplicates.length > 0),
    ),
    none(
      'rolls stuck with a healthy model',
      wrong(({ finished }) => !finished),
    ),
    {
      what: 'what took place',
      ours: kinds.join(', '),
      theirs: `${histories} histories`,
      goal: 'each in 1 % of them at least',
      ok: rollCounts.every((what) => wrong(({ counts }) => counts[what] > 0).length * 100 >= histories),
    },
  ];
}

function none(what: string, wrong: readonly { readonly seed: number }[]): Figure {
  const ours = wrong.length === 0 ? '0' : `${wrong.length}, first with seed ${wrong[0]?.seed}`;
  return { what, ours, theirs: `${histories} histories`, goal: '0', ok: wrong.length === 0 };
}

function calm(): Figure {
  const results = seeds.slice(0, 1000).map((seed) => calmHistory(seed));
  const sum = (of: 'seconds' | 'ideal') => results.reduce((total, each) => total + each[of], 0);
  const ratio = sum('seconds') / sum('ideal');
  return {
    what: 'time of 1,000 undisturbed rolls',
    ours: `${sum('seconds')} s`,
    theirs: `${sum('ideal')} s of batches and pauses`,
    ratio,
    goal: 'at most 1.1 times',
    ok: ratio <= 1.1 && results.every(({ finished }) => finished),
  };
}

function automatic(): Figure {
  const results = seeds.slice(0, 100).map((seed) => ({ seed, ...automaticHistory(seed) }));
  const wrong = results.filter(({ requests, isReported, finished }) => requests > 0 || !isReported || !finished);
  return {
    what: 'sets of mode Automatic that the operator writes to, or whose condition is silent about the limits',
    ours: wrong.length === 0 ? '0' : `${wrong.length}, first with seed ${wrong[0]?.seed}`,
    theirs: `${results.length} histories`,
    goal: '0',
    ok: wrong.length === 0,
  };
}

/** Versions of a ManagedSecret that go out region by region, each step with its bake time. */
function rollouts(): Figure[] {
  const disturbed = seeds.map((seed) => ({ seed, ...disturbedRollout(seed) }));
  const calm = seeds.slice(0, 200).map((seed) => calmRollout(seed));
  const sum = (of: 'seconds' | 'ideal') => calm.reduce((total, each) => total + each[of], 0);
  const ratio = sum('seconds') / sum('ideal');
  return [
    none(
      'rollouts with a step before its turn or its bake time, or stuck with a healthy version',
      disturbed.filter(({ wrong, unfinished }) => wrong.length > 0 || unfinished),
    ),
    {
      what: 'time of 200 undisturbed rollouts',
      ours: `${sum('seconds')} s`,
      theirs: `${sum('ideal')} s of rolls and bake times`,
      ratio,
      goal: 'at most 1.1 times',
      ok: ratio <= 1.1 && calm.every(({ unfinished }) => !unfinished),
    },
  ];
}
