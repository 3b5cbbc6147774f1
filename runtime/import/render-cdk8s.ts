import { armResource } from '../api/arm/arm-resource.ts';
import { isObject } from '../base/json.ts';
import { escaped, onOneLine } from '../base/text/printable.ts';
import type { ImportedManifest } from './manifests.ts';

const identifier = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** The module with the constructs: of the clone beside main.ts where the sources run, else the package. */
export function constructsModule(importer: string): string {
  return importer.endsWith('.ts') ? './constructs/index.ts' : 'azimuth';
}

/**
 * A cdk8s app in TypeScript that synthesizes to the same objects. Each object is of the class of its kind in `constructs`,
 * so that the compiler checks its spec, and owners and references to imported resources are constructs.
 */
export function renderCdk8s(
  manifests: readonly ImportedManifest[],
  constructs: string = constructsModule(import.meta.url),
): string {
  const classes = [...new Set(manifests.map(({ definition }) => classGroup(definition)))].sort();
  const ordered = referencedFirst(manifests);
  const names = variableNames(ordered, classes);
  const declared = new Map<string, string>();
  const used = new Set<string>();
  const blocks = ordered.map((manifest) => {
    const name = names.get(manifest) as string;
    const text = block(manifest, name, declared, used);
    declared.set(keyOf(manifest), name);
    return { id: manifest.id, name, text };
  });
  const declarations = blocks.map(
    ({ id, name, text }) => `// ${onOneLine(id)}\n${used.has(name) ? `const ${name} = ${text}` : text}`,
  );
  return [
    importOf(['App', 'Chart'], 'cdk8s'),
    importOf(classes, constructs),
    '',
    'const program = new App();',
    "const chart = new Chart(program, 'imported', { disableResourceNameHashes: true });",
    '',
    ...declarations,
    'program.synth();',
    '',
  ].join('\n');
}

const importOf = (names: readonly string[], from: string) => `import { ${names.join(', ')} } from '${from}';`;

/** Name under which the classes of a group are imported; a type without a kind has no class of its own. */
function classGroup(definition: ImportedManifest['definition']): string {
  if (definition === armResource) return 'AzureResource';
  const [first = '', ...rest] = definition.group.replace(/\.azure\.com$/, '').split('.');
  return [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('');
}

function block(
  manifest: ImportedManifest,
  name: string,
  declared: ReadonlyMap<string, string>,
  used: Set<string>,
): string {
  const { definition, object } = manifest;
  const { metadata, spec } = object;
  const construct: Reference = (path, value) => {
    const found = targetsOf(manifest, path, value)
      .map((key) => declared.get(key))
      .find((each) => each !== undefined);
    if (found !== undefined) used.add(found);
    return found;
  };
  const generic = definition === armResource;
  const kind = generic && { kind: `${definition.group}/${definition.kind}` };
  const type = generic ? 'AzureResource' : `${classGroup(definition)}.${definition.kind}`;
  return `new ${type}(chart, ${quoted(name)}, ${literal({ ...kind, metadata, spec }, '', construct)});\n`;
}

/** Keys of the manifests that a value of a spec may refer to; none where it is no reference. */
function targetsOf({ definition }: ImportedManifest, path: string, value: unknown): string[] {
  if (definition === armResource || !path.startsWith('spec.') || !isObject(value)) return [];
  const { group, kind, name, ...rest } = value;
  if (typeof name !== 'string' || Object.keys(rest).length > 0) return [];
  const { kinds = [], group: ownerGroup = '', extension = false } = definition.arm?.owner ?? {};
  if (path === 'spec.owner' && !extension) return kinds.map((each) => `${ownerGroup}/${each}/${name}`);
  return typeof group === 'string' && typeof kind === 'string' ? [`${group}/${kind}/${name}`] : [];
}

/** In their order, but each after those that it refers to; of a circle one stays a reference by name. */
function referencedFirst(manifests: readonly ImportedManifest[]): ImportedManifest[] {
  const byKey = new Map(manifests.map((manifest) => [keyOf(manifest), manifest]));
  const ordered = new Set<ImportedManifest>();
  const visited = new Set<ImportedManifest>();
  const visit = (manifest: ImportedManifest | undefined) => {
    if (!manifest || visited.has(manifest)) return;
    visited.add(manifest);
    literal({ spec: manifest.object['spec'] }, '', (path, value) => {
      for (const key of targetsOf(manifest, path, value)) visit(byKey.get(key));
      return undefined;
    });
    ordered.add(manifest);
  };
  manifests.forEach(visit);
  return [...ordered];
}

const keyOf = ({ definition, object }: ImportedManifest) =>
  `${definition.group}/${definition.kind}/${object.metadata.name}`;

/** One for each manifest, made of kind and name, none twice. */
function variableNames(
  manifests: readonly ImportedManifest[],
  imported: readonly string[],
): Map<ImportedManifest, string> {
  const taken = new Set<string>(['program', 'chart', ...imported]);
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
