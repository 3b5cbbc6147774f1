import type { Outcome } from './scenarios.ts';

/** Why a run of a scenario failed, one line for each reason; none where everything held. */
export function problemsOf(outcome: Outcome): string[] {
  const { wrongPuts, repeatedPuts, stuck, left, orphans, reusedTokens, faults, missed } = outcome;
  const lists = Object.entries({ wrongPuts, repeatedPuts, stuck, left, orphans })
    .filter(([, list]) => list.length > 0)
    .map(([what, list]) => `${what}: ${list.join(', ')}`);
  if (reusedTokens > 0) lists.push(`writes without a token of their own: ${reusedTokens}`);
  if (faults === 0 || missed.length > 0)
    lists.push(['the fault never took place: the scenario shows nothing', ...missed].join('; '));
  return lists;
}
