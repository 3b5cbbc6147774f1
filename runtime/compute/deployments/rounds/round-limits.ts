/** Rounds of one location of a run, and answers that decide in it. */
export const roundLimits = { rounds: 20, answers: 200 } as const;

/** The message about a location whose names need more than a run takes. */
export const tooManyMessage = (what: string): string =>
  `Names of the template are decided by ${what}: name resources by parameters, or split the deployment`;

/** Why a run does not take as many answers; undefined where it does. */
export const answersMessage = (count: number): string | undefined =>
  count > roundLimits.answers ? tooManyMessage(`${count} of at most ${roundLimits.answers} answers`) : undefined;

/** Why a run takes no further round of answers. */
export const roundsMessage = tooManyMessage(`more than ${roundLimits.rounds} rounds of answers`);
