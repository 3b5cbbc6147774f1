/** Machines beside real ManagedSecrets, in a SecretWorld with the kinds of machines. */
import type { SecretWorld } from '../managed-secrets/secret-world.ts';
import { until } from '../support.ts';
import { conditionOf, machineType } from './machine-world.ts';

/** The spec of a virtual machine that gets one ManagedSecret. */
export function machineSpec(managedSecret: string, delivery: string, location = 'westeurope') {
  return {
    location,
    owner: { name: 'rg' },
    hardwareProfile: { vmSize: 'Standard_D2s_v3' },
    osProfile: { computerName: 'vm', adminUsername: 'ops' },
    operatorSpec: { managedSecrets: [{ managedSecret, delivery }] },
  };
}

/** Waits until a virtual machine has this version of its ManagedSecret. */
export async function delivered({ world }: SecretWorld, name: string, version: number): Promise<void> {
  await until(`${name} has version ${version}`, async () => {
    const machine = await world.client.tryGet(machineType, { namespace: 'default', name });
    const isThere = machine?.['status']?.managedSecrets?.wanted?.[0]?.version === version;
    return conditionOf(machine, 'SecretsDelivered')?.status === 'True' && isThere;
  });
}
