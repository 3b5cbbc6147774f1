/** docs/reference/kinds.md and the pages below it, written from the catalogue by `npm run generate`. */
import { keyVaultKeys, v1Outputs } from '../../runtime/api/arm/key-vault-outputs.ts';
import type { ArmKindDefinition } from '../../runtime/api/kinds.ts';
import { asoDifferences } from './aso-differences.ts';

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(' ');

function ownerOf({ arm }: ArmKindDefinition): string {
  if (!arm.owner) return `none: belongs to the ${arm.dataPlane ? 'directory' : 'subscription'}`;
  return arm.owner.extension ? 'any resource, by group, kind and name or by armId' : arm.owner.kinds.join(' or ');
}

/** The secrets that a rotation renews, in its order. */
function renewed({ arm: { keyRotation } }: ArmKindDefinition): string[] {
  return keyRotation ? [...keyRotation.secondary, ...keyRotation.primary].map(({ secret }) => secret) : [];
}

/** What the tables say of a kind that ASO v2 lacks. */
const notInAso = 'ASO v2 has no such kind';

/** The ids of kinds that ASO v2 lacks, as `network/IpGroup`. */
type Lacking = ReadonlySet<string>;
const isLacking = ({ group, kind }: ArmKindDefinition, lacking: Lacking) => lacking.has(`${shortOf(group)}/${kind}`);

function section(kind: ArmKindDefinition, lacking: Lacking): string[] {
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
    arm.dataPlane ? ['no ARM type', arm.dataPlane.summary] : ['ARM type', `\`${arm.armType}\``],
    ['short name', code(kind.shortNames)],
    [
      'versions',
      Object.entries(arm.apiVersions)
        .map(([name, api]) => (api === '' ? `\`${name}\`` : `\`${name}\` (${api})`))
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
    [
      'differs from ASO v2',
      isLacking(kind, lacking) ? notInAso : asoDifferences(kind).join('; ') || `only as [all kinds do](${general})`,
    ],
  ];
  return [
    `## ${kind.kind}`,
    '',
    '| | |',
    '|---|---|',
    ...rows.filter(([, value]) => value !== '').map(([name, value]) => `| ${name} | ${value} |`),
    '',
  ];
}

/** From a page of a group. */
const general = '../../guides/from-aso-v2.md#what-differs';

const shortOf = (group: string) => group.replace(/\.azure\.com$/, '');

/** The page of a group. The version named first is the stored one, which the CRD's schema describes. */
function groupPage(group: string, kinds: readonly ArmKindDefinition[], lacking: Lacking): string {
  const page = [
    `# ${group}`,
    '',
    '`npm run generate` writes this page from the catalogue and overwrites other changes. [The index](../kinds.md) explains',
    'the rows.',
    '',
    ...kinds.flatMap((kind) => section(kind, lacking)),
  ];
  return `${page.join('\n').trimEnd()}\n`;
}

function index(groups: ReadonlyMap<string, readonly ArmKindDefinition[]>, lacking: Lacking): string {
  const kinds = [...groups.values()].flat();
  const rows = [...groups].flatMap(([group, own]) =>
    own.map((each) => {
      const page = `kinds/${shortOf(group)}.md`;
      const { secrets, configMaps } = each.arm.operatorSpec;
      const cells = [
        `[${each.kind}](${page}#${each.kind.toLowerCase()})`,
        group,
        code(each.shortNames),
        `${code([each.versions[0]?.name ?? ''])}${each.versions.length > 1 ? `, ${each.versions.length - 1} more` : ''}`,
        ownerOf(each),
        code([...secrets, ...configMaps]),
        isLacking(each, lacking) ? notInAso : asoDifferences(each).join('; '),
      ];
      return `| ${cells.join(' | ')} |`;
    }),
  );
  const page = [
    '# Kinds of Azure resources',
    '',
    '`npm run generate` writes this page and [a page for each group](kinds/) from the catalogue, and overwrites other',
    'changes. `kubectl explain <short name>.spec` lists the fields of a kind that the cluster defines. Every kind also has',
    '`operatorSpec.secretExpressions` and `operatorSpec.configMapExpressions`. On the page of a group, the first version',
    'of a kind is the stored version, and the date behind a version is the api-version in requests to Azure. For a resource',
    'without a kind, use an `ArmResource` of the group `azimuth.dev`. An empty cell under "differs from ASO v2" means: only',
    'as [all kinds do](../guides/from-aso-v2.md#what-differs).',
    '',
    `${kinds.length} kinds in ${groups.size} groups:`,
    '',
    '| kind | group | short name | versions | owner | exports | differs from ASO v2 |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ];
  return `${page.join('\n')}\n`;
}

/**
 * The text of each page by its path below docs/reference: the index and a page for each group. `lacking` has the ids of
 * kinds that ASO v2 does not have, such as `network/IpGroup`.
 */
export function kindReference(kinds: readonly ArmKindDefinition[], lacking: Lacking = new Set()): Map<string, string> {
  const groups = Map.groupBy(kinds, ({ group }) => group);
  const pages = [...groups].map(([group, own]): [string, string] => [
    `kinds/${shortOf(group)}.md`,
    groupPage(group, own, lacking),
  ]);
  return new Map([['kinds.md', index(groups, lacking)], ...pages]);
}
