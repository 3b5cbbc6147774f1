import { withoutSecretMembers } from '../../arm-kinds/secret-value.ts';
import type { ArmReader } from '../../azure/arm/arm-reader.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import type { Answers, NeededAnswer } from '../../compute/deployments/open-values.ts';
import { answersMessage, roundLimits, roundsMessage } from '../../compute/deployments/rounds/round-limits.ts';
import type { PlanUnits } from '../../compute/plan/plan-units.ts';

/**
 * The units of a plan with the answers of Azure that decide names and counts of templates, as far as Azure has the
 * resources. What it does not have, or does not show, stays undecided. At the limits of a run it ends with a note. Throws
 * where Azure does not answer.
 */
export async function decideNames(
  unitsOf: (decided: Answers) => PlanUnits,
  reader: Pick<ArmReader, 'tryGet'>,
): Promise<PlanUnits> {
  const decided: Record<string, Answers[string]> = {};
  const asked = new Set<string>();
  let units = unitsOf(decided);
  for (let round = 0; ; round++) {
    const needed = neededBy(units).filter(({ id }) => !asked.has(id.toLowerCase()));
    if (needed.length === 0) break;
    const limit =
      round >= roundLimits.rounds ? roundsMessage : answersMessage(asked.size + needed.length, locationsIn(units));
    if (limit !== undefined) return { ...units, notes: [limit] };
    const before = Object.keys(decided).length;
    for (const each of needed) {
      asked.add(each.id.toLowerCase());
      const resource = await read(reader, each);
      if (resource !== undefined) decided[each.id] = { resource };
    }
    if (Object.keys(decided).length === before) break;
    units = unitsOf(decided);
  }
  return units;
}

/** The locations of the deployments: each has the answers of a run. */
function locationsIn({ units }: PlanUnits): number {
  return units.reduce((sum, { deployment }) => sum + (deployment?.strategy.waves.flat().length ?? 0), 0);
}

function neededBy({ units }: PlanUnits): readonly NeededAnswer[] {
  const all = units.flatMap(({ deployment }) => deployment?.undecided ?? []).flatMap(({ needed }) => needed);
  return [...new Map(all.map((each) => [each.id.toLowerCase(), each])).values()];
}

async function read(reader: Pick<ArmReader, 'tryGet'>, { id, apiVersion }: NeededAnswer): Promise<unknown> {
  try {
    return withoutSecretMembers(await reader.tryGet(id, apiVersion));
  } catch (error) {
    // The plan says of the resource itself that it may not be read.
    if (error instanceof ArmError) return undefined;
    throw error;
  }
}
