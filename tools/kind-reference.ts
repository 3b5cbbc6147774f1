/** docs/reference/kinds.md, written from the table of kinds by `npm run generate`. */
import { keyVaultKeys, v1Outputs } from '../runtime/api/key-vault-outputs.ts';
import type { ArmKindDefinition } from '../runtime/api/kinds.ts';

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ');

function ownerOf({ arm }: ArmKindDefinition): string {
  if (!arm.owner) return 'none: belongs to the subscription';
  return arm.owner.extension ? 'any resource, by group, kind and name or by armId' : arm.owner.kinds.join(' or ');
}

/** An entry of a list, in lines that end before column 120. */
const wrapped = (entry: string) => entry.replaceAll(/(.{1,114})(?: |$)/g, '$1\n  ').trimEnd();

/** The secrets that a rotation renews, in its order. */
function renewed({ arm: { keyRotation } }: ArmKindDefinition): string[] {
  return keyRotation ? [...keyRotation.secondary, ...keyRotation.primary].map(({ secret }) => secret) : [];
}

function section(kind: ArmKindDefinition): string[] {
  const { arm } = kind;
  const v1 = v1Outputs[`${kind.group}/${kind.kind}`];
  const { secrets, configMaps, other = {} } = arm.operatorSpec;
  const celNames = arm.secretSource?.celNames ?? [];
  const notes = [
    ...(arm.azureNameFixed === undefined ? [] : [`always named \`${arm.azureNameFixed}\` in Azure`]),
    ...(arm.deletable ? [] : ['Azure has no DELETE for it and deletes it with its owner']),
    ...(arm.softDelete ? ['Azure keeps it for a while after its deletion'] : []),
  ];
  const rows: [string, string][] = [
    ['ARM type', `\`${arm.armType}\``],
    ['short name', code(kind.shortNames)],
    [
      'versions',
      Object.entries(arm.apiVersions)
        .map(([name, api]) => `\`${name}\` (${api})`)
        .join(', '),
    ],
    ['owner', ownerOf(kind)],
    ['`operatorSpec.secrets`', code(secrets)],
    ['`operatorSpec.configMaps`', code(configMaps)],
    ['`operatorSpec.keyVault`', code(keyVaultKeys(kind.group, kind.kind, secrets))],
    ["ASO v1's kind", v1 ? code([v1.kind]) : ''],
    ['`secret.` in expressions', code(celNames)],
    [
      '`operatorSpec`, more',
      code([...(arm.generatedCredentials ? ['generatedCredentials'] : []), ...Object.keys(other)]),
    ],
    ['keys renewed by `azimuth.dev/rotate-keys`', code(renewed(kind))],
    ['note', notes.join('; ')],
  ];
  return [
    `### ${kind.kind}`,
    '',
    '| | |',
    '|---|---|',
    ...rows.filter(([, value]) => value !== '').map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ];
}

/** The whole page. The version named first is the stored one, which the CRD's schema describes. */
export function kindReference(kinds: readonly ArmKindDefinition[]): string {
  const groups = new Map<string, ArmKindDefinition[]>();
  for (const kind of kinds) groups.set(kind.group, [...(groups.get(kind.group) ?? []), kind]);
  return `${[
    '# Kinds of Azure resources',
    '',
    '`npm run generate` writes this page from the table of kinds and overwrites other changes.',
    '`kubectl explain <short name>.spec` lists the fields. Every kind also has `operatorSpec.secretExpressions` and',
    '`operatorSpec.configMapExpressions`. The first version of a kind is the stored version. The date behind a version is',
    'the api-version in requests to Azure. For a resource without a kind, use an `ArmResource` of the group `azimuth.dev`.',
    '',
    `${kinds.length} kinds in ${groups.size} groups:`,
    '',
    ...[...groups].map(([group, own]) =>
      wrapped(`- [${group}](#${group.replaceAll('.', '')}): ${own.map(({ kind }) => kind).join(', ')}`),
    ),
    '',
    ...[...groups].flatMap(([group, own]) => [`## ${group}`, '', ...own.flatMap(section)]),
  ]
    .join('\n')
    .trimEnd()}\n`;
}
