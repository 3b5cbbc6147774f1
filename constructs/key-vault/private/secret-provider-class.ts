import { ApiObject } from 'cdk8s';
import type { Construct } from 'constructs';
import { checkRelativePath } from '../../../runtime/api/volumes/file-names.ts';
import { jsonKeyProblem } from '../../../runtime/api/volumes/json-keys.ts';
import type { CsiObject, KeyVaultCsiVolumeProps } from '../key-vault-volume-props.ts';
import { vaultVolumeProblems } from './vault-volume-problems.ts';

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

/** Everything for which the provider or the driver would refuse the volume, for synthesis. */
export function csiVolumeProblems(props: KeyVaultCsiVolumeProps, name: string): string[] {
  const problems = vaultVolumeProblems(props, name, checkRelativePath);
  for (const { type, name: object, history = 1 } of props.objects) {
    if (Number.isInteger(history) && history >= 1 && history <= 100) continue;
    problems.push(`Expected \`history\` of the ${type} "${object}" to be 1 to 100, got \`${history}\``);
  }
  for (const object of props.objects) {
    if (object.type !== 'secret' || object.jsonKey === undefined) continue;
    const problem = object.format === undefined ? jsonKeyProblem(object.jsonKey) : 'goes without `format`';
    if (problem !== undefined) problems.push(`\`jsonKey\` of the secret "${object.name}" ${problem}`);
  }
  const { provider = 'azure', reader } = props;
  if (!/^[a-zA-Z0-9_-]{1,30}$/.test(provider)) {
    problems.push(`Expected \`provider\` to be 1 to 30 letters, digits, - and _, got \`${provider}\``);
  }
  if (reader.kind === 'workload' && reader.clientId === '') {
    problems.push('Expected `reader.clientId` to be the client id that the service account acts as, got ``');
  }
  return problems;
}

/** One text of the list. Values are in quotes, so that YAML reads none as a number. */
function objectText(object: CsiObject): string {
  const { type, name, version, history, file, filePermission } = object;
  const members: Record<string, string | undefined> = {
    objectName: name,
    objectType: type,
    objectAlias: file,
    objectVersion: version,
    objectVersionHistory: history?.toString(),
    ...(object.type === 'secret' && secretMembers(object)),
    filePermission,
  };
  const lines = Object.entries(members)
    .filter(([, value]) => value !== undefined)
    .map(([member, value]) => `    ${member}: ${JSON.stringify(value)}\n`);
  return `- |\n${lines.join('')}`;
}

function secretMembers({ format, jsonKey }: Extract<CsiObject, { type: 'secret' }>): Record<string, string> {
  return jsonKey === undefined ? formatMembers(format) : { objectJsonKey: jsonKey };
}

/** The provider's default converts PKCS#12 to PEM; its format `pfx` is the stored value. */
function formatMembers(format: 'raw' | 'pem' | 'pfx' = 'raw'): Record<string, string> {
  if (format === 'pem') return { objectFormat: 'pem' };
  return { objectFormat: 'pfx', ...(format === 'pfx' && { objectEncoding: 'base64' }) };
}
