import { type Outcome, sameClass } from '../../../sandbox/sessions/replay.ts';

/** Parts and wholes of one type or group. */
export interface Figures {
  requests: number;
  status: number;
  class: number;
  shapes: number;
  sameShape: number;
  members: number;
  sameMembers: number;
  defaults: number;
  sameDefaults: number;
  codes: number;
  sameCode: number;
}

/** The names of the figures in percent, as they are held. */
export const figureNames = ['status', 'class', 'shape', 'members', 'defaults', 'codes'] as const;
/** Percentages by the name of the figure. */
export type Percentages = Partial<Record<(typeof figureNames)[number], number>>;

const none = (): Figures => ({
  requests: 0,
  status: 0,
  class: 0,
  shapes: 0,
  sameShape: 0,
  members: 0,
  sameMembers: 0,
  defaults: 0,
  sameDefaults: 0,
  codes: 0,
  sameCode: 0,
});

const same = (pair: readonly [string, string] | undefined) => (pair !== undefined && pair[0] === pair[1] ? 1 : 0);

/** Adds the outcomes up. */
export function figuresOf(outcomes: readonly Outcome[]): Figures {
  const sum = none();
  for (const outcome of outcomes) {
    sum.requests += 1;
    sum.status += outcome.request.status === outcome.answer.status ? 1 : 0;
    sum.class += sameClass(outcome) ? 1 : 0;
    sum.shapes += outcome.shapes ? 1 : 0;
    sum.sameShape += same(outcome.shapes);
    sum.members += outcome.members;
    sum.sameMembers += outcome.members - outcome.missing.length;
    sum.defaults += outcome.defaults.length;
    sum.sameDefaults += outcome.defaults.filter(({ azure, here }) => azure === here).length;
    sum.codes += outcome.codes ? 1 : 0;
    sum.sameCode += same(outcome.codes);
  }
  return sum;
}

/** Percentages, cut to one decimal; a figure of nothing is left out. */
export function percentagesOf(sum: Figures): Percentages {
  const percent = (part: number, whole: number) => (whole === 0 ? undefined : Math.floor((part * 1000) / whole) / 10);
  const all = {
    status: percent(sum.status, sum.requests),
    class: percent(sum.class, sum.requests),
    shape: percent(sum.sameShape, sum.shapes),
    members: percent(sum.sameMembers, sum.members),
    defaults: percent(sum.sameDefaults, sum.defaults),
    codes: percent(sum.sameCode, sum.codes),
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** How many parts agree, by the name of the figure. */
export const agreeingOf = (sum: Figures): Record<(typeof figureNames)[number], number> => ({
  status: sum.status,
  class: sum.class,
  shape: sum.sameShape,
  members: sum.sameMembers,
  defaults: sum.sameDefaults,
  codes: sum.sameCode,
});
