/** Features of a kind of Azimuth that the same kind of ASO v2 lacks, beyond the features of all kinds. */
import { keyVaultKeys } from '../../runtime/api/arm/key-vault-outputs.ts';
import type { ArmKindDefinition } from '../../runtime/api/kinds.ts';
import { machineTypes } from '../../runtime/api/machines/secret-references.ts';

/** Defects of ASO v2's expressions, by group and kind. */
const expressions: Readonly<Record<string, string>> = {
  'cognitiveservices.azure.com/Account': 'expressions get secrets that `operatorSpec.secrets` does not name',
  'notificationhubs.azure.com/Namespace': 'the expression `secret.primaryKey` is the key, not the connection string',
  'notificationhubs.azure.com/NotificationHub':
    'the expression `secret.primaryKey` is the key, not the connection string',
  'search.azure.com/SearchService': 'the expressions `secret.adminSecondaryKey` and `secret.queryKey` are these keys',
  'servicebus.azure.com/TopicAuthorizationRule': 'expressions work without `operatorSpec.secrets`',
};

const scopeRule = "needs a rule of `--operator-credential-scopes`, or a credential that is not the operator's own";

/** Exports that ASO v2 declares and never writes, and kinds beyond a namespace's usual reach, by group and kind. */
const further: Readonly<Record<string, string>> = {
  'containerservice.azure.com/ManagedCluster': '`aadProfile.serverAppSecret` names a Secret, not the text',
  'containerservice.azure.com/Fleet': '`operatorSpec.secrets.userCredentials` is written, by `listCredentials`',
  'entra.azure.com/SecurityGroup': scopeRule,
  'managedidentity.azure.com/FederatedIdentityCredential': '`v1api20250131preview` has `claimsMatchingExpression`',
  'subscription.azure.com/Alias': scopeRule,
};

/** One sentence part each, for a reader who knows the kind of ASO v2; none where only the general differences count. */
export function asoDifferences({ group, kind, arm }: ArmKindDefinition): string[] {
  const special = [expressions[`${group}/${kind}`], further[`${group}/${kind}`]];
  return [
    ...(keyVaultKeys(group, kind, arm.operatorSpec.secrets).length > 0
      ? ['writes its values into a Key Vault too']
      : []),
    ...(arm.generatedCredentials ? ['can generate the administrator'] : []),
    ...(arm.keyRotation ? ['renews its keys on request'] : []),
    ...(machineTypes.includes(arm.armType) ? ['takes ManagedSecrets'] : []),
    ...(arm.rules?.some(({ rule }) => rule.includes('azureName')) ? ['the API server checks its name'] : []),
    ...special.filter((each) => each !== undefined),
  ];
}
