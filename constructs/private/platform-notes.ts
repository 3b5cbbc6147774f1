import { operatorKinds } from '../../runtime/api/kinds.ts';
import type { KindDefinition } from '../../runtime/api/types.ts';
import type { PlatformProps } from '../platform-props.ts';

/** Notes about the multi-tenant profile: what a namespace cannot use by these properties. */
export function profileNotes({
  multiTenant,
  operator,
  podIdentity,
  keyVaultVolumes,
  identityScopes,
}: PlatformProps): string[] {
  if (!multiTenant) return [];
  return [
    ...(operator === false || operator?.credentialScopes
      ? []
      : [
          'Without `operator.credentialScopes` (AZURE_OPERATOR_CREDENTIAL_SCOPES) no namespace may use the credential of the ' +
            'operator: each needs a Secret `aso-credential` of its own.',
        ]),
    ...((!podIdentity && !keyVaultVolumes) || identityScopes
      ? []
      : [
          'Without `identityScopes` (AZIMUTH_IDENTITY_SCOPES) no AzureIdentity may name a user-assigned identity (type 0), and ' +
            "no volume may use the machine's: types 1, 2 and 3 are left.",
        ]),
  ];
}

/**
 * Notes about kinds: those that the app needs and the platform does not define. `named` finds the path of the first
 * construct that needs a kind, by `group/kind`.
 */
export function kindNotes(
  { operator, kinds }: PlatformProps,
  served: readonly KindDefinition[],
  named: () => ReadonlyMap<string, string>,
): string[] {
  if (operator === false) return [];
  const defined = new Set(served.filter((kind) => operatorKinds.includes(kind)).map(nameOf));
  if (kinds === undefined && defined.size === 1) {
    return [
      'The manifests define only ArmResource: this app uses no other kind of Azure resource. Name kinds by `kinds` ' +
        '(AZIMUTH_KINDS), such as used:<folder with manifests>, or all by *; `azimuth kinds` prints those that ' +
        'a cluster needs. The operator serves the kinds that Azimuth defines in the cluster. ' +
        'Before definitions leave the manifests of a cluster, read "Fewer definitions" in docs/guides/upgrading.md.',
    ];
  }
  return [...named()]
    .filter(([name]) => !defined.has(name))
    .map(
      ([name, path]) =>
        `${path} needs the kind ${name}, which this platform does not define: add it to \`kinds\` (AZIMUTH_KINDS), ` +
        'unless the cluster has it from elsewhere.',
    );
}

const nameOf = ({ group, kind }: KindDefinition) => `${group}/${kind}`;
