import { withEnumWords } from '../../../arm-kinds/body/enum-values.ts';
import { type BodyPath, withoutPaths } from '../../../arm-kinds/body/ignored-fields.ts';
import { withSharedList } from '../../../arm-kinds/body/shared-list.ts';
import type { ExportPlan } from '../../../arm-kinds/export/export-plan.ts';
import type { AdminCredentials } from '../../../arm-kinds/generated-admin-secret.ts';
import type { ArmModel } from '../../../arm-kinds/model.ts';
import { AzimuthError } from '../../../base/errors.ts';
import { isDeeperThan, type JsonObject } from '../../../base/json.ts';
import type { KubeObject } from '../../../kube/client/types.ts';

/** The declared body without the fields left to others, with markers at values that have a comparison of their own. */
export function comparedBody(
  { definition, extension }: ArmModel,
  declared: JsonObject | undefined,
  ignored: readonly BodyPath[],
): JsonObject | undefined {
  const own = declared && withoutPaths(declared, ignored);
  if (!own) return undefined;
  const marked = definition.arm ? withEnumWords(definition.arm, own) : own;
  const { sharedList } = extension;
  return sharedList === undefined ? marked : withSharedList(marked, sharedList);
}

/** The plan without the Secret of an administrator that is not generated yet: no other export creates that Secret. */
export function withoutPendingAdmin(plan: ExportPlan, admin: AdminCredentials | undefined): ExportPlan {
  if (admin?.task !== 'generate') return plan;
  const items = plan.items.filter(({ target, to }) => target !== 'Secret' || to.name !== admin.input.name);
  return { ...plan, items };
}

/** Azure's documents have about twelve levels; thousands would overflow the stack of recursive functions. */
const MAX_LEVELS = 100;

/** Whether the spec is nested too deep to read. */
export function isSpecTooDeep(object: KubeObject): boolean {
  return isDeeperThan(object['spec'], MAX_LEVELS);
}

/** Throws AZ_TERMINAL for a spec that is nested too deep. */
export function checkSpecDepth(object: KubeObject): void {
  if (!isSpecTooDeep(object)) return;
  throw new AzimuthError('AZ_TERMINAL', `The spec is nested deeper than ${MAX_LEVELS} levels: make it flatter`);
}
