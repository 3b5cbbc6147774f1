import { armResource } from '../api/arm-resource.ts';
import type { ImportedManifest } from './manifests.ts';
import { escaped, onOneLine } from './printable.ts';

const imports = { cdk8s: 'App, Chart', './constructs/azure-resource.ts': 'AzureResource' };
const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * A cdk8s app in TypeScript that synthesizes to the same objects. It belongs beside main.ts, whose constructs it uses:
 * the compiler checks every spec against its kind, and an owner is the construct it is rather than a name.
 */
export function renderCdk8s(manifests: readonly ImportedManifest[]): string {
  const names = variableNames(manifests);
  const owners = new Map(manifests.map((manifest) => [keyOf(manifest), names.get(manifest) as string]));
  const used = new Set<string>();
  const blocks = manifests.map((manifest) => block(manifest, names.get(manifest) as string, owners, used));
  const declarations = blocks.map((text, index) => {
    const { id } = manifests[index] as ImportedManifest;
    const name = names.get(manifests[index] as ImportedManifest) as string;
    return `// ${onOneLine(id)}\n${used.has(name) ? `const ${name} = ${text}` : text}`;
  });
  return [
    ...Object.entries(imports).map(([module, names]) => `import { ${names} } from '${module}';`),
    '',
    'const app = new App();',
    "const chart = new Chart(app, 'imported', { disableResourceNameHashes: true });",
    '',
    ...declarations,
    'app.synth();',
    '',
  ].join('\n');
}

function block(
  { definition, object }: ImportedManifest,
  name: string,
  names: ReadonlyMap<string, string>,
  used: Set<string>,
): string {
  const { metadata, spec } = object;
  const { kinds = [], group = '', extension = false } = definition.arm?.owner ?? {};
  const owner = definition === armResource || extension ? undefined : spec.owner?.name;
  const ownerName = kinds.map((kind) => names.get(`${group}/${kind}/${owner}`)).find((each) => each !== undefined);
  if (ownerName !== undefined) used.add(ownerName);
  const reference = (path: string, value: unknown) =>
    path === 'spec.owner.name' && owner === value && ownerName !== undefined ? `${ownerName}.name` : undefined;
  const props = { kind: `${definition.group}/${definition.kind}`, metadata, spec };
  return `new AzureResource(chart, ${literal(name, '', reference)}, ${literal(props, '', reference)});\n`;
}

const keyOf = ({ definition, object }: ImportedManifest) =>
  `${definition.group}/${definition.kind}/${object.metadata.name}`;

/** One for each manifest, made of kind and name, none twice. */
function variableNames(manifests: readonly ImportedManifest[]): Map<ImportedManifest, string> {
  const taken = new Set<string>(['app', 'chart']);
  return new Map(
    manifests.map((manifest) => {
      const { kind, metadata } = manifest.object;
      const words = metadata.name.split(/[^a-z0-9]+/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
      const plain = `${kind.charAt(0).toLowerCase()}${kind.slice(1)}${words.join('')}`;
      let name = plain;
      for (let count = 2; taken.has(name); count++) name = `${plain}_${count}`;
      taken.add(name);
      return [manifest, name];
    }),
  );
}

type Reference = (path: string, value: unknown) => string | undefined;

function literal(value: unknown, indent: string, reference: Reference, path = ''): string {
  const expression = reference(path, value);
  if (expression !== undefined) return expression;
  const inner = `${indent}  `;
  const block = (open: string, lines: readonly string[], close: string) =>
    lines.length === 0
      ? `${open}${close}`
      : `${open}\n${lines.map((line) => `${inner}${line},\n`).join('')}${indent}${close}`;
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item) => literal(item, inner, reference, `${path}[]`)),
      ']',
    );
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const lines = Object.entries(value).map(([name, member]) => {
    const own = path === '' ? name : `${path}.${name}`;
    return `${memberName(name)}: ${literal(member, inner, reference, own)}`;
  });
  return block('{', lines, '}');
}

/** As a plain name `__proto__` would be no member. */
const memberName = (name: string) => {
  if (name === '__proto__') return "['__proto__']";
  return identifier.test(name) ? name : quoted(name);
};

/** JSON's escapes are JavaScript's too; single quotes as everywhere in this repository. */
function quoted(text: string): string {
  const json = escaped(JSON.stringify(text.toWellFormed()));
  return text.includes("'") ? json : `'${json.slice(1, -1).replaceAll('\\"', '"')}'`;
}
