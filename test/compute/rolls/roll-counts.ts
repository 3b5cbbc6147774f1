/**
 * What took place in a history: batches of Azure's own rolling upgrade, and of the operator; upgrades that the operator
 * started again; instances that took the place of another one, and that got their former model back; reads of the operator
 * that ended in waiting for a maintenance window.
 */
export const rollCounts = [
  'azureBatches',
  'operatorBatches',
  'resumes',
  'replaced',
  'restored',
  'windowWaits',
] as const;
/** How often each took place. */
export type RollCounts = Record<(typeof rollCounts)[number], number>;
