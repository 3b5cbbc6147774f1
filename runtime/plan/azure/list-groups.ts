import type { ArmReader } from '../../azure/arm/arm-reader.ts';
import { ArmError } from '../../azure/arm/errors.ts';
import { isGone } from '../../azure/arm/not-found.ts';
import { resourceGroupPath, tryParseResourceId } from '../../azure/arm/resource-ids.ts';
import type { JsonObject } from '../../base/json.ts';
import { forEachAtMost } from '../../base/scheduling/for-each.ts';
import { refusalOf } from './check-quota.ts';

/** Requests at a time. */
const requests = 4;
const apiVersion = '2021-04-01';
/** Resources of one group that are read; Azure allows 800 of a type. */
const mostResources = 10_000;

/** Resources of groups, and notes about groups that could not be listed. */
export interface GroupContent {
  readonly resources: readonly JsonObject[];
  readonly notes: readonly string[];
}

/** Lists the resource groups in which these ARM ids are. A group that does not exist has no resources. */
export async function listGroups(reader: Pick<ArmReader, 'pages'>, ids: readonly string[]): Promise<GroupContent> {
  const groups = new Map(
    ids.flatMap((id) => {
      const { subscriptionId = '', resourceGroup } = tryParseResourceId(id) ?? {};
      if (resourceGroup === undefined) return [];
      const group = resourceGroupPath(subscriptionId, resourceGroup);
      return [[group.toLowerCase(), group] as const];
    }),
  );
  const resources: JsonObject[] = [];
  const notes: string[] = [];
  await forEachAtMost(requests, [...groups.values()], async (group) => {
    try {
      let count = 0;
      for await (const page of reader.pages(`${group}/resources`, apiVersion)) {
        resources.push(...page);
        count += page.length;
        if (count >= mostResources) break;
      }
    } catch (error) {
      if (isGone(error)) return;
      if (!(error instanceof ArmError)) throw error;
      notes.push(`the other resources of ${group} are not shown: ${refusalOf(error)}`);
    }
  });
  return { resources, notes };
}
