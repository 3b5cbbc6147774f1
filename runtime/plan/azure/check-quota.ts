import type { ArmReader } from '../../azure/arm/arm-reader.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import { messageOf } from '../../base/errors.ts';
import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import { someOf } from '../../base/text/some-of.ts';
import { type Usage, usagesOf } from '../../compute/limits/quota.ts';
import type { PlanProblem } from '../../compute/plan/change.ts';
import { type MachineNeed, quotaFindings } from '../../compute/plan/quota-problems.ts';

/** Requests at a time. */
const requests = 4;
/** Regions of subscriptions that are read; Azure has about 70 regions. */
const mostRegions = 100;
/** Pages of one list; Azure sends one. */
const mostPages = 20;
const apiVersion = '2024-07-01';

/** Shortages of quota for the machines of a plan, and notes about skipped checks. */
export interface QuotaCheck {
  readonly problems: readonly PlanProblem[];
  readonly notes: readonly string[];
}

/**
 * Reads the usages of each region in which the plan needs more of Azure's quota, one list for each subscription and region,
 * and compares them with the sum of the needs. An unreadable list becomes a note. Throws where Azure does not answer.
 */
export async function checkQuota(
  reader: Pick<ArmReader, 'pages'>,
  needs: readonly MachineNeed[],
  placeOf: (key: string) => string,
): Promise<QuotaCheck> {
  const known = needs.filter(({ additional }) => additional !== undefined);
  const regions = Map.groupBy(known, ({ subscription, location }) => `${subscription} ${location}`);
  const read = [...regions.values()].slice(0, mostRegions);
  const results: QuotaCheck[] = [];
  await forEachAtMost(requests, [...read.entries()], async ([index, each]) => {
    results[index] = await checkRegion(reader, each, placeOf);
  });
  const open = needs.filter(({ additional }) => additional === undefined).map(({ key }) => key);
  const notes = results.flatMap((result) => result.notes);
  if (open.length > 0)
    notes.push(`the quota for ${someOf(open)} is not checked: size, region or present state is not known`);
  if (regions.size > read.length)
    notes.push(
      `the quota of ${regions.size - read.length} regions is not checked: the plan has ${regions.size} of them`,
    );
  return { problems: results.flatMap(({ problems }) => problems), notes };
}

async function checkRegion(
  reader: Pick<ArmReader, 'pages'>,
  needs: readonly MachineNeed[],
  placeOf: (key: string) => string,
): Promise<QuotaCheck> {
  const { subscription = '', location = '' } = needs[0] ?? {};
  const where = `the quota of ${location} in the subscription ${subscription} is not checked`;
  try {
    const usages = await readUsages(reader, subscription, location);
    const { problems, unnamed } = quotaFindings(needs, usages, placeOf);
    const note = `${where} for ${someOf(unnamed)}: Azure names no limit of it`;
    return { problems, notes: unnamed.length > 0 ? [note] : [] };
  } catch (error) {
    if (!(error instanceof ArmError)) throw error;
    return { problems: [], notes: [`${where}: ${refusalOf(error)}`] };
  }
}

async function readUsages(reader: Pick<ArmReader, 'pages'>, subscription: string, location: string): Promise<Usage[]> {
  const path = `/subscriptions/${subscription}/providers/Microsoft.Compute/locations/${location}/usages`;
  const lines: unknown[] = [];
  let pages = 0;
  for await (const page of reader.pages(path, apiVersion)) {
    lines.push(...page);
    if (++pages >= mostPages) break;
  }
  return usagesOf(lines);
}

/** Why Azure gave no answer, for people. */
export function refusalOf(error: ArmError): string {
  const { status, code } = error.info;
  return status === 401 || status === 403
    ? `you may not read it in Azure with your credential (${status} ${code})`
    : `Azure cannot be compared: ${messageOf(error)}`;
}
