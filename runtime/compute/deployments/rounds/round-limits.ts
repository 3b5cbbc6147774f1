/** Rounds of one location of a run, and answers that decide in it. */
export const roundLimits = { rounds: 20, answers: 200 } as const;

/** The message about a location whose names need more than a run takes. */
export const tooManyMessage = (what: string): string =>
  `Names of the template are decided by ${what}: name resources by parameters, or split the deployment`;

/** Why runs of this many locations do not take as many answers; undefined where they do. */
export function answersMessage(count: number, locations = 1): string | undefined {
  const most = roundLimits.answers * locations;
  return count > most ? tooManyMessage(`${count} of at most ${most} answers`) : undefined;
}

/** Why a run takes no further round of answers. */
export const roundsMessage = tooManyMessage(`more than ${roundLimits.rounds} rounds of answers`);
