import type { BehaviourRow } from '../../behaviour.ts';

/** Private DNS accepts each write, and looks at its If-Match only in the operation. */
export const dnsBehaviours: readonly BehaviourRow[] = [
  'Microsoft.Network/privateDnsZones',
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks',
].map((type) => ({ type, matchesLate: true }));
