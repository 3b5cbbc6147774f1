import { adminRequest } from '../../../../sandbox/azure/admin/admin-client.ts';
import { createArmClient } from '../../../azure/arm/client.ts';
import { cloudFromEnvironment } from '../../../azure/clouds.ts';
import { clientSecretAuthorizer } from '../../../azure/identity/authorizers/client-secret.ts';
import { createDispatcher } from '../../../base/http/client.ts';
import { nodesType } from '../../../identity/objects.ts';
import type { DemoWorld } from '../world.ts';

/** The resource group of the cluster's machines. */
export const NODE_GROUP = 'cluster-nodes';

/**
 * Creates the parts that Azure Kubernetes Service provides: a scale set, and the node on one of its machines. From
 * here on the machine's metadata endpoint serves only the identities that are attached to the scale set. Returns the
 * ARM id of the scale set.
 */
export async function makeClusterNode({ client, azure, node }: DemoWorld): Promise<string> {
  const dispatcher = createDispatcher({ ca: azure.caPem, proxy: 'none' });
  const cloud = cloudFromEnvironment(azure.env());
  const arm = createArmClient({ cloud, dispatcher });
  const { clientId, secret, tenantId } = azure.defaultApp;
  const authorizer = clientSecretAuthorizer({ tenantId, clientId, clientSecret: secret ?? '' }, { cloud, dispatcher });
  const group = `/subscriptions/${azure.subscriptionId}/resourceGroups/${NODE_GROUP}`;
  const scaleSet = `${group}/providers/Microsoft.Compute/virtualMachineScaleSets/nodes`;
  try {
    const body = { location: 'westeurope' };
    await arm.send({ method: 'PUT', path: group, apiVersion: '2021-04-01', body, authorizer });
    await arm.send({ method: 'PUT', path: scaleSet, apiVersion: '2022-03-01', body, authorizer });
  } finally {
    await arm.close();
  }
  await adminRequest(azure, 'PATCH', '/settings', { imds: { identities: { machine: scaleSet } } });
  await client.create(nodesType, {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: node.name },
    spec: { providerID: `azure://${scaleSet}/virtualMachines/0` },
  });
  return scaleSet;
}
