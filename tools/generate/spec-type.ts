import { keyVaultKeys } from '../../runtime/api/arm/key-vault-outputs.ts';
import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import { azureNameDoc, docstring, fieldDoc } from './field-docs.ts';
import { referenceTargets } from './reference-targets.ts';

/** The shared types that a kind's interface refers to, by their name in runtime/api. */
const shared: Partial<Record<FieldTree['type'], string>> = {
  reference: 'ArmReference',
  wellKnownReference: 'WellKnownReference',
  secret: 'SecretKeyReference',
  secretMap: 'SecretMapReference',
  configMap: 'ConfigMapKeyReference',
};

const literals = (values: readonly (string | number)[]) =>
  values.map((value) => (typeof value === 'number' ? value : `'${value.replaceAll("'", "\\'")}'`)).join(' | ');
const member = (name: string) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `'${name}'`);

/** TypeScript of a field's type; the names of shared types it needs are added to `used`. `path` as fields, joined by dots. */
function typeOf(field: FieldTree, used: Set<string>, indent: string, path: string, texts: FieldTexts): string {
  const name = shared[field.type];
  if (name) {
    used.add(name);
    const kinds = /reference/i.test(field.type) ? referenceTargets(path) : [];
    return kinds.length > 0 ? `${name}<${literals(kinds)}>` : name;
  }
  switch (field.type) {
    case 'string':
      return field.enum ? literals(field.enum) : 'string';
    case 'integer':
    case 'number':
      return field.enum ? literals(field.enum) : 'number';
    case 'boolean':
      return 'boolean';
    case 'array': {
      const items = typeOf(field.items ?? { type: 'any' }, used, indent, path, texts);
      return /^\w+$/.test(items) ? `${items}[]` : `(${items})[]`;
    }
    case 'map':
      return `Record<string, ${typeOf(field.values ?? { type: 'any' }, used, indent, path, texts)}>`;
    case 'object':
      return `{\n${members(field, used, `${indent}  `, path, texts).join('\n')}\n${indent}}`;
    default:
      return 'unknown';
  }
}

function members(field: FieldTree, used: Set<string>, indent: string, parent: string, texts: FieldTexts): string[] {
  const depth =
    parent === ''
      ? 0
      : parent
          .replace(/^properties\b\.?/, '')
          .split('.')
          .filter(Boolean).length;
  return Object.entries(field.properties ?? {})
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([name, child]) => {
      const path = parent === '' ? name : `${parent}.${name}`;
      const required = field.required?.includes(name) ?? false;
      const text = texts.get(`spec.${path}`);
      const of = parent.split('.').at(-1) ?? '';
      const doc = fieldDoc(name, child, { required, parent: of, depth, targets: referenceTargets(path), text });
      const line = `${indent}${member(name)}${required ? '' : '?'}: ${typeOf(child, used, indent, path, texts)};`;
      return [...doc.map((each) => `${indent}${each}`), line];
    });
}

/** What Azure's SDK and the catalogue say about the fields of a kind, by path: `spec.sku.name`. */
export type FieldTexts = Pick<ReadonlyMap<string, string>, 'get'>;

/** The interface of a kind's spec, and the shared types it imports. */
export function specType(
  { group, kind, arm }: ArmKindEntry,
  texts: FieldTexts,
): {
  readonly text: string;
  readonly imports: readonly string[];
} {
  const used = new Set<string>(['OperatorSpec']);
  const other = Object.entries(arm.operatorSpec.other ?? {});
  const exported = (names: readonly string[]) => (names.length > 0 ? literals(names) : 'never');
  const lines = members(arm.fields, used, '  ', '', texts);
  if (arm.azureNameFixed === undefined && !arm.dataPlane?.namesItself)
    lines.unshift(...azureNameDoc(arm).map((each) => `  ${each}`), '  azureName?: string;');
  if (arm.owner) {
    const owner = arm.owner.extension ? 'ArmReference' : 'KnownOwner';
    used.add(owner);
    const { kinds, group: home, extension } = arm.owner;
    lines.push(
      `  /** ${extension ? 'The resource that it extends' : `The ${kinds.join(' or ')} that it is in`}, by construct or ARM id. */`,
      `  owner: ${extension ? owner : `${owner}<${literals(kinds.map((each) => `${home}/${each}`))}>`};`,
    );
  }
  const extra =
    other.length === 0
      ? ''
      : ` & ${typeOf({ type: 'object', properties: Object.fromEntries(other) }, used, '  ', 'operatorSpec', texts)}`;
  const { secrets, configMaps } = arm.operatorSpec;
  const made = arm.generatedCredentials ? ' & CredentialsSpec' : '';
  const keys = keyVaultKeys(group, kind, secrets);
  const intoVault = keys.length > 0 ? `, ${literals(keys)}` : '';
  lines.push(
    ...docstring('What the operator writes for others to read.', 'what `export()` declares').map((each) => `  ${each}`),
    `  operatorSpec?: OperatorSpec<${exported(secrets)}, ${exported(configMaps)}${intoVault}>${made}${extra};`,
  );
  return { text: `export interface ${kind}Spec {\n${lines.join('\n')}\n}`, imports: [...used].sort() };
}
