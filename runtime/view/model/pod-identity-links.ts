import { userAssignedIdentitiesType } from '../../api/pod-identity/identity-reference.ts';
import { isObject } from '../../base/json.ts';
import { normalizeText } from '../../base/text/normalize.ts';
import type { KubeObject } from '../../kube/client/types.ts';
import type { RawLink } from './links.ts';

const group = 'aadpodidentity.k8s.io';

const text = (value: unknown, ...members: string[]): string => {
  let found = value;
  for (const member of members) found = isObject(found) ? found[member] : undefined;
  return typeof found === 'string' ? normalizeText(found) : '';
};

const owner = (kind: string, namespace: string, name: string): RawLink[] =>
  name === '' ? [] : [{ type: 'owner', group, kind, namespace, name }];

/** The links of the kinds of AAD Pod Identity: an identity has its bindings, a binding its assignments to pods. */
export const podIdentityLinks: Readonly<Record<string, (object: KubeObject) => RawLink[]>> = {
  AzureIdentity(object) {
    const own = object.metadata.namespace ?? '';
    const secret: unknown = object['spec']?.clientPassword;
    const links: RawLink[] = [
      {
        type: 'secret',
        group: '',
        kind: 'Secret',
        namespace: text(secret, 'namespace') || own,
        name: text(secret, 'name'),
      },
      {
        type: 'reference',
        group: userAssignedIdentitiesType.group,
        kind: userAssignedIdentitiesType.kind,
        namespace: own,
        name: text(object['spec'], 'identityRef', 'name'),
      },
    ];
    return links.filter(({ name }) => name !== '');
  },
  AzureIdentityBinding(object) {
    return owner('AzureIdentity', object.metadata.namespace ?? '', text(object['spec'], 'azureIdentity'));
  },
  AzureAssignedIdentity(object) {
    const { namespace = '' } = object.metadata;
    const reference: unknown = object['spec']?.azureBindingRef;
    const name = text(reference, 'metadata', 'name');
    return owner('AzureIdentityBinding', text(reference, 'metadata', 'namespace') || namespace, name);
  },
};
