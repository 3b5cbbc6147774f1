/** Uses of secrets by a machine, and the problems of their plan. */
import type { Machine, SecretUse } from '../../../runtime/compute/machines/machine-model.ts';
import { planMachine } from '../../../runtime/compute/machines/machine-plan.ts';
import { vmAccessContentType } from '../../../runtime/compute/machines/vm-access.ts';
import { identityId, version } from './support.ts';

export const names = (on: Machine, ...uses: SecretUse[]) => planMachine(on, uses).problems.map(({ name }) => name);
export const password = (name = 'pw'): SecretUse => ({
  name,
  kind: 'Password',
  delivery: 'VMAccess',
  version: version('kv1', name, { contentType: vmAccessContentType }),
});
export const identity = (name: string): SecretUse => ({
  name,
  kind: 'Identity',
  delivery: 'Identity',
  identity: { id: identityId(name), clientId: `client-of-${name}` },
});
