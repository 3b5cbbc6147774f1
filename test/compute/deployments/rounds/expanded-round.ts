/** Rounds of templates of one location, and answers of Azure for them. */
import type { Goal } from '../../../../runtime/compute/deployments/goal.ts';
import type { Answers } from '../../../../runtime/compute/deployments/open-values.ts';
import { expandRound } from '../../../../runtime/compute/deployments/rounds/expand-round.ts';
import { groupId, place, target } from '../arm-templates.ts';
import { textOf } from './azd-template.ts';

export const idOf = (name: string) => `${groupId}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/${name}`;
export const answer = (principalId: string) => ({
  resource: { id: 'x', properties: { principalId, clientId: 'client', tenantId: 'not read' } },
});
export const goalOf = (json: string): Goal => ({
  template: { arm: { json, owner: { name: 'shop-${location}' } } },
  parameters: {},
  locations: [{ name: 'westeurope', parameters: {} }],
  at: '2026-01-01T00:00:00.000Z',
});
export const round = (resources: readonly object[], decided?: Answers, parts: object = {}) =>
  expandRound(goalOf(textOf(resources, parts)), place, target, { decided });
export const kinds = ({ nodes }: ReturnType<typeof round>) => nodes.map(({ kind, name }) => `${kind} ${name}`);
