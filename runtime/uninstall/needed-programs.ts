import { identityLeaseName } from '../api/pod-identity/attachment-record.ts';
import { finalizer, operatorName } from '../arm-kinds/names.ts';
import { AzimuthError } from '../base/errors.ts';
import type { KubeObject } from '../kube/client/types.ts';
import { type Item, nameOf } from './inventory.ts';
import { isAssigned } from './order.ts';
import { isProgramRunning } from './program-lease.ts';
import type { Removal } from './removal.ts';

function needsOperator({ object, row }: Item): boolean {
  return (object.metadata.finalizers?.includes(finalizer) ?? false) || row.kind === 'ComputeDeployment';
}

const needsController = ({ row }: Item): boolean => isAssigned(row.kind);

/** Whether an object can go only while a program runs: its finalizer is on it, or only the program deletes it. */
export function needsPrograms(left: readonly Item[]): boolean {
  return left.some((item) => needsOperator(item) || needsController(item));
}

/**
 * Checks that the programs run that these objects, and these records of identities on machines, need. `homes`: namespaces
 * of the programs. Throws AZ_LEASE_LOST that names a Lease, an object and a fix.
 */
export async function requirePrograms(
  left: readonly Item[],
  records: readonly KubeObject[],
  homes: ReadonlySet<string>,
  removal: Pick<Removal, 'client' | 'clock' | 'signal'>,
): Promise<void> {
  const item = left.find(needsOperator);
  if (item && !(await isProgramRunning(operatorName, homes, removal)))
    throw missing('operator', operatorName, `${nameOf(item)} needs it for its finalizer`);
  const assigned = left.find(needsController);
  const [record] = records;
  if ((!assigned && !record) || (await isProgramRunning(identityLeaseName, homes, removal))) return;
  const [need, last] = assigned
    ? [`only it deletes ${nameOf(assigned)}`, 'delete the object']
    : [
        `only it detaches the identities of ConfigMap ${record?.metadata.name} in ${record?.metadata.namespace} from ` +
          'their machine',
        'detach the identities and delete the ConfigMap',
      ];
  throw missing('identity', identityLeaseName, need, `. If no controller is installed any more, ${last} by hand`);
}

function missing(component: 'operator' | 'identity', lease: string, need: string, more = ''): AzimuthError {
  const program = component === 'operator' ? 'operator' : 'controller of pod identities';
  const message =
    `no ${program} renews the Lease ${lease} in a namespace of the programs, and ${need}: start it ` +
    `(kubectl get deployments -A -l app.kubernetes.io/component=${component}) with leader election, and run the command ` +
    `again${more}`;
  return new AzimuthError('AZ_LEASE_LOST', message);
}
