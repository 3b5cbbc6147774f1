import {
  apiVersionOf,
  type KubeClient,
  type KubeObject,
  type ResourceType,
} from '../../../runtime/kube/client/types.ts';
import { assignedType, bindingsType, identitiesType, podsType } from '../../../runtime/nmi/objects.ts';

/** A running pod with an assigned identity of its own name, whose client id is `client-` and the name. */
export async function addPod(client: KubeClient, name: string, ips: readonly string[]): Promise<void> {
  const create = (type: ResourceType, object: object) =>
    client.create(type, { apiVersion: apiVersionOf(type), kind: type.kind, ...object } as KubeObject);
  const metadata = { namespace: 'default', name };
  const podIPs = ips.map((ip) => ({ ip }));
  const spec = { type: 0, clientID: `client-${name}`, resourceID: '' };
  const identity = { apiVersion: apiVersionOf(identitiesType), kind: 'AzureIdentity', metadata, spec };
  await create(identitiesType, identity);
  await create(bindingsType, { metadata, spec: { azureIdentity: name, selector: name } });
  await create(assignedType, {
    metadata: { ...metadata, name: `${name}-default-${name}`, labels: { nodename: 'n1' } },
    spec: { pod: name, podNamespace: 'default', nodename: 'n1', azureIdentityRef: identity },
    status: { status: 'Assigned' },
  });
  const pod = await create(podsType, {
    metadata: { ...metadata, labels: { aadpodidbinding: name } },
    spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'none' }] },
  });
  const status = { phase: 'Running', podIP: podIPs[0]?.ip, podIPs };
  await client.replace(podsType, { ...pod, status }, { subresource: 'status' });
}
