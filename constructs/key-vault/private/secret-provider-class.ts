import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import type { CsiObject, CsiSecretFile, CsiSelection, KeyVaultCsiVolumeProps } from '../key-vault-volume-props.ts';

/** The SecretProviderClass of a CSI volume, with the parameters of the Azure provider. */
export function secretProviderClass(scope: Construct, id: string, props: KeyVaultCsiVolumeProps): ApiObject {
  const { vault, tenantId, reader, cloud, objects, provider = 'azure' } = props;
  const parameters: Record<string, string | undefined> = {
    keyvaultName: vault,
    tenantId,
    usePodIdentity: reader.kind === 'pod' ? 'true' : undefined,
    useVMManagedIdentity: reader.kind === 'machine' ? 'true' : undefined,
    userAssignedIdentityID: reader.kind === 'machine' ? reader.clientId : undefined,
    clientID: reader.kind === 'workload' ? reader.clientId : undefined,
    cloudName: cloud,
    objects: `array:\n${objects.map(objectText).join('')}`,
  };
  return new ApiObject(scope, id, {
    apiVersion: 'secrets-store.csi.x-k8s.io/v1',
    kind: 'SecretProviderClass',
    ...(props.namespace !== undefined && { metadata: { namespace: props.namespace } }),
    spec: { provider, parameters },
  });
}

/** One text of the list. Values are in quotes, so that YAML reads none as a number. */
function objectText(object: CsiObject | CsiSelection): string {
  const { type, file, filePermission } = object;
  const members: Record<string, string | undefined> = {
    ...('name' in object ? nameMembers(object) : { objectNamePattern: object.pattern, objectTag: object.tag }),
    objectType: type,
    objectAlias: file,
    ...(object.type === 'secret' && secretMembers(object)),
    filePermission,
  };
  const lines = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => `    ${member}: ${JSON.stringify(value)}\n`);
  return `- |\n${lines.join('')}`;
}

function nameMembers({ name, version, history }: CsiObject): Record<string, string | undefined> {
  return { objectName: name, objectVersion: version, objectVersionHistory: history?.toString() };
}

function secretMembers({ format, jsonKey }: CsiSecretFile): Record<string, string> {
  return jsonKey === undefined ? formatMembers(format) : { objectJsonKey: jsonKey };
}

/** The provider's default converts PKCS#12 to PEM; its format `pfx` is the stored value. */
function formatMembers(format: 'raw' | 'pem' | 'pfx' = 'raw'): Record<string, string> {
  if (format === 'pem') return { objectFormat: 'pem' };
  return { objectFormat: 'pfx', ...(format === 'pfx' && { objectEncoding: 'base64' }) };
}
