import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import { keyVaultKeys } from '../../runtime/api/key-vault-outputs.ts';
import type { FieldTree } from '../../runtime/api/types.ts';

/** The shared types that a kind's interface refers to, by their name in runtime/api. */
const shared: Partial<Record<FieldTree['type'], string>> = {
  reference: 'ArmReference',
  wellKnownReference: 'WellKnownReference',
  secret: 'SecretKeyReference',
  secretMap: 'SecretMapReference',
  configMap: 'ConfigMapKeyReference',
};

const literals = (values: readonly string[]) => values.map((value) => `'${value.replaceAll("'", "\\'")}'`).join(' | ');
const member = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** TypeScript of a field's type; the names of shared types it needs are added to `used`. */
function typeOf(field: FieldTree, used: Set<string>, indent: string): string {
  const name = shared[field.type];
  if (name) {
    used.add(name);
    return name;
  }
  switch (field.type) {
    case 'string':
      return field.enum ? literals(field.enum) : 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const items = typeOf(field.items ?? { type: 'any' }, used, indent);
      return /^\w+$/.test(items) ? `${items}[]` : `(${items})[]`;
    }
    case 'map':
      return `Record<string, ${typeOf(field.values ?? { type: 'any' }, used, indent)}>`;
    case 'object':
      return `{\n${members(field, used, `${indent}  `).join('\n')}\n${indent}}`;
    default:
      return 'unknown';
  }
}

function members(field: FieldTree, used: Set<string>, indent: string): string[] {
  return Object.entries(field.properties ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, child]) => {
      const optional = field.required?.includes(name) ? '' : '?';
      return `${indent}${member(name)}${optional}: ${typeOf(child, used, indent)};`;
    });
}

/** The interface of a kind's spec, and the shared types it imports. */
export function specType({ group, kind, arm }: ArmKindEntry): {
  readonly text: string;
  readonly imports: readonly string[];
} {
  const used = new Set<string>(['OperatorSpec']);
  const other = Object.entries(arm.operatorSpec.other ?? {});
  const exported = (names: readonly string[]) => (names.length > 0 ? literals(names) : 'never');
  const lines = members(arm.fields, used, '  ');
  if (arm.azureNameFixed === undefined) lines.unshift('  azureName?: string;');
  if (arm.owner) {
    const owner = arm.owner.extension ? 'ArmReference' : 'KnownOwner';
    used.add(owner);
    lines.push(`  owner: ${owner};`);
  }
  const extra =
    other.length === 0 ? '' : ` & ${typeOf({ type: 'object', properties: Object.fromEntries(other) }, used, '  ')}`;
  const { secrets, configMaps } = arm.operatorSpec;
  const made = arm.generatedCredentials ? ' & CredentialsSpec' : '';
  const keys = keyVaultKeys(group, kind, secrets);
  const intoVault = keys.length > 0 ? `, ${literals(keys)}` : '';
  lines.push(
    `  operatorSpec?: OperatorSpec<${exported(secrets)}, ${exported(configMaps)}${intoVault}>${made}${extra};`,
  );
  return { text: `export interface ${kind}Spec {\n${lines.join('\n')}\n}`, imports: [...used].sort() };
}
