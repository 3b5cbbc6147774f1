/** The construct classes, one for each kind of the catalogue: constructs/generated. */
import { type GrantedRole, grants } from '../../constructs/resources/built-in-roles.ts';
import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';

const header = '// Written by `npm run generate` from tools/catalogue; changes here are lost.';

/**
 * Names that several groups of ASO v2 give to a kind, the kinds that Azimuth does not serve yet included: their classes
 * are exported under the name of the group only, so that a new kind never takes a name away.
 */
export const sharedNames: ReadonlySet<string> = new Set([
  'Account',
  'Database',
  'Domain',
  'FlexibleServer',
  'FlexibleServersAdministrator',
  'FlexibleServersConfiguration',
  'FlexibleServersDatabase',
  'FlexibleServersFirewallRule',
  'Namespace',
  'NamespacesAuthorizationRule',
  'Registry',
  'Replica',
  'Server',
  'Snapshot',
  'User',
  'WebApplicationFirewallPolicy',
  'Workspace',
]);

/** `storage` for storage.azure.com, `networkFrontdoor` for network.frontdoor.azure.com. */
const moduleOf = (group: string) =>
  group.replace(/\.azure\.com$/, '').replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

/** The grants of a kind by the name of the method. */
const grantsOf = (type: string): [string, GrantedRole][] =>
  Object.entries((grants as Readonly<Record<string, Readonly<Record<string, GrantedRole>>>>)[type] ?? {});

function classOf({ group, kind, arm }: ArmKindEntry): string {
  const { owner, operatorSpec } = arm;
  const exported = [...new Set([...operatorSpec.secrets, ...operatorSpec.configMaps])].sort();
  const home = owner === null ? '' : owner.extension ? ', on any Azure resource' : `, in a ${owner.kinds.join(' or ')}`;
  const lines = [
    `${arm.dataPlane?.summary ?? arm.armType}${home}.`,
    ...(arm.azureNameFixed === undefined ? [] : [`Its name in Azure is \`${arm.azureNameFixed}\`.`]),
    ...(exported.length > 0 ? [`\`export()\` gives ${exported.map((each) => `\`${each}\``).join(', ')}.`] : []),
    ...(arm.dataPlane ? [] : [`Versions of Azure's API: ${[...new Set(Object.values(arm.apiVersions))].join(', ')}.`]),
  ];
  const type = `${group}/${kind}`;
  return [
    `/** Properties of \`${kind}\`. */`,
    `export interface ${kind}Props extends KindProps<'${type}'> {}`,
    '',
    '/**',
    ...lines.map((line) => ` * ${line}`),
    ' */',
    `export class ${kind} extends AzureResource<'${type}'> {`,
    `  constructor(scope: Construct, id: string, props: ${kind}Props) {`,
    `    super(scope, id, { ...props, kind: '${type}' });`,
    '  }',
    ...grantsOf(type).flatMap(([method, { role, allows }]) => [
      '',
      `  /** Lets an identity ${allows}: the role ${role} on this resource. */`,
      `  ${method}(identity: Grantee): RoleGrant {`,
      `    return grantRole(this, identity, grants['${type}'].${method});`,
      '  }',
    ]),
    '}',
    '',
  ].join('\n');
}

/** Every file of constructs/generated: one for each API group, and the index. */
export function constructClasses(entries: readonly ArmKindEntry[]): Map<string, string> {
  const groups = [...Map.groupBy(entries, ({ group }) => moduleOf(group))].sort(([a], [b]) => (a < b ? -1 : 1));
  const files = new Map<string, string>();
  for (const [module, kinds] of groups) {
    const imports = [
      "import type { Construct } from 'constructs';",
      "import { AzureResource, type KindProps } from '../azure-resource.ts';",
      ...(kinds.some(({ group, kind }) => grantsOf(`${group}/${kind}`).length > 0)
        ? [
            "import { grants } from '../resources/built-in-roles.ts';",
            "import { type Grantee, grantRole, type RoleGrant } from '../resources/grant.ts';",
          ]
        : []),
    ];
    files.set(`${module}.ts`, [header, ...imports, '', ...kinds.map(classOf)].join('\n'));
  }
  const flat = groups.flatMap(([module, kinds]) => {
    const names = kinds.map(({ kind }) => kind).filter((kind) => !sharedNames.has(kind));
    const exported = names.flatMap((name) => [name, `type ${name}Props`]).sort();
    return exported.length > 0 ? [`export { ${exported.join(', ')} } from './${module}.ts';`] : [];
  });
  const index = [
    header,
    '/** Each kind by its name, and all kinds of a group by the name of the group, such as `eventhub.Namespace`. */',
    ...flat,
    ...groups.map(([module]) => `export * as ${module} from './${module}.ts';`),
    '',
  ];
  files.set('index.ts', index.join('\n'));
  return files;
}
