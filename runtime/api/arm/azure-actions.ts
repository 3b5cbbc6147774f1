import type { KindDefinition } from '../types.ts';
import { v1Outputs } from './key-vault-outputs.ts';

/**
 * The Azure actions that reconciling these kinds takes, for a custom role of the operator's identity: read, write and
 * delete of each ARM type, and the POST actions that read its secrets. Role assignments are left out: an identity that
 * assigns roles can give itself any role, so these actions are granted apart (see stacks/identity).
 */
export function azureActions(kinds: readonly Pick<KindDefinition, 'arm' | 'group' | 'kind'>[]): string[] {
  const actions = new Set<string>();
  for (const { group, kind, arm } of kinds) {
    if (!arm || arm.dataPlane || arm.armType.startsWith('Microsoft.Authorization/')) continue;
    const type = arm.armType.replace(
      /^Microsoft\.Resources\/resourceGroups$/,
      'Microsoft.Resources/subscriptions/resourceGroups',
    );
    actions.add(`${type}/read`).add(`${type}/write`);
    if (arm.deletable) actions.add(`${type}/delete`);
    const { action, actions: several = {} } = arm.secretSource ?? {};
    const answers = Object.values(v1Outputs[`${group}/${kind}`]?.answers ?? {}).map((answer) => answer.action);
    for (const { method, path } of [...(action ? [action] : []), ...Object.values(several), ...answers]) {
      if (method !== 'POST') continue;
      // Of `authorizationRules/RootManageSharedAccessKey/listKeys`, the types: every other segment.
      const types = path.split('/').filter((_, index) => index % 2 === 0);
      actions.add(`${type}/${types.join('/')}/action`);
    }
  }
  return [...actions].sort();
}
