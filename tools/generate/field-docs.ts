import type { ArmKind, FieldTree } from '../../runtime/api/types.ts';

const meanings: Readonly<Record<string, string>> = {
  location: 'Azure region, such as westeurope.',
  tags: 'Azure tags.',
  identity: 'The managed identities that the resource itself uses.',
  sku: 'Pricing tier.',
};

/** Fields below those, by their parent and name: many kinds have them, and not each kind is described by Azure's SDK. */
const meaningsBelow: Readonly<Record<string, string>> = {
  'identity.type': 'Which managed identities it uses: its own, user-assigned ones, or both',
  'identity.userAssignedIdentities': 'The user-assigned identities that it uses',
  'sku.name': 'Name of the pricing tier',
  'sku.tier': 'Tier, where the name does not tell it',
  'sku.capacity': 'Number of units',
  'sku.family': 'Family of the hardware, where the service has several',
  'sku.size': 'Size, where the name does not tell it',
};

function range(low: number | undefined, high: number | undefined, unit: string): string | undefined {
  if (low === undefined && high === undefined) return undefined;
  if (low === high) return `${low}${unit}`;
  if (high === undefined) return `At least ${low}${unit}`;
  return low === undefined ? `At most ${high}${unit}` : `${low} to ${high}${unit}`;
}

/** The bounds of a value as phrases. */
function bounds(field: Pick<FieldTree, 'pattern' | 'minLength' | 'maxLength'> & Partial<FieldTree>): string[] {
  const { pattern, minLength, maxLength, minimum, maximum, minItems, maxItems } = field;
  return [
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    range(minItems, maxItems, ' items'),
    pattern === undefined ? undefined : `Pattern: \`${pattern.replaceAll('*/', '*\\/')}\``,
  ].filter((each) => each !== undefined);
}

const kindName = (kind: string) => kind.slice(kind.indexOf('/') + 1);

/** The field with one word in its `enum`, which shows in Azure's answer which member of a one-of it has. */
function wordOfVariant(field: FieldTree): string | undefined {
  for (const [name, child] of Object.entries(field.properties ?? {})) {
    if (child.enum?.length === 1) return `\`${name}\` is \`${child.enum[0]}\``;
    const below = name === 'parameters' ? wordOfVariant(child) : undefined;
    if (below) return below;
  }
  return undefined;
}

/** Types of fields that have another value than in Azure: their docstring says so first. */
const referenceTypes: ReadonlySet<FieldTree['type']> = new Set([
  'reference',
  'wellKnownReference',
  'secret',
  'secretMap',
  'configMap',
]);

function meaning(name: string, field: FieldTree, parent: string, depth: number, targets: readonly string[]): string[] {
  const known = depth === 0 ? meanings[name] : undefined;
  if (field.arm === '') {
    const word = wordOfVariant(field);
    return word ? [`The form whose ${word}`] : [];
  }
  if (field.enum?.length === 1) return [`Always \`${field.enum[0]}\``];
  switch (field.type) {
    case 'secret':
      return ['A value of a Secret of this namespace: an export of another resource, or name and key'];
    case 'secretMap':
      return ['All values of a Secret of this namespace'];
    case 'configMap':
      return [`A value of a ConfigMap of this namespace, in place of \`${name.replace(/FromConfig$/, '')}\``];
    case 'reference':
    case 'wellKnownReference':
      return [`By construct or ARM id: ${targets.map(kindName).join(' or ') || 'any resource'}`];
    default:
      if (known) return [known.slice(0, -1)];
      if (name === 'properties' && field.type === 'object') return [`Properties of the ${parent || 'resource'}`];
      return [meaningsBelow[`${parent}.${name}`] ?? []].flat();
  }
}

/** What the catalogue says about the meaning of a field of a spec, without its bounds; undefined where it says nothing. */
export function catalogueMeaning(
  name: string,
  field: FieldTree,
  { parent, depth, targets }: { parent: string; depth: number; targets: readonly string[] },
): string | undefined {
  const phrases = meaning(name, field, parent, depth, targets);
  return phrases.length > 0 ? phrases.map((phrase) => `${phrase}.`).join(' ') : undefined;
}

/** Lines of a docstring. Editors read `@default` only at the start of a line. */
export function docstring(text: string, absent?: string): readonly string[] {
  if (absent === undefined) return [`/** ${text} */`];
  if (text === '') return [`/** @default ${absent} */`];
  return ['/**', ` * ${text}`, ` * @default ${absent}`, ' */'];
}

/**
 * The docstring of a field, as lines, made of the catalogue's data: its bounds, the versions that have it, and the
 * meaning of an absent field. Empty when there is no such data.
 *
 * @param parent the name of the object that has the field; empty at the top
 * @param depth objects above the field, without the envelope `properties`
 * @param text what Azure's SDK says about the field, in place of the catalogue's words about its meaning
 */
export function fieldDoc(
  name: string,
  field: FieldTree,
  {
    required,
    parent,
    depth,
    targets,
    text,
  }: {
    required: boolean;
    parent: string;
    depth: number;
    targets: readonly string[];
    text?: string | undefined;
  },
): readonly string[] {
  const { onlyIn, whenAbsent } = field;
  const phrases = [
    ...(text === undefined || referenceTypes.has(field.type) ? meaning(name, field, parent, depth, targets) : []),
    ...(text === undefined ? [] : [text.replaceAll('*/', '*\\/').replace(/\.$/, '')]),
    ...bounds(field),
    ...(onlyIn ? [`Only in ${onlyIn.join(', ')}`] : []),
  ];
  const absent =
    whenAbsent === undefined ? "Azure's own value" : whenAbsent === 'null' ? 'sent as null' : 'sent as empty';
  const isDefaultOf = !required && (depth === 0 || phrases.length > 0 || whenAbsent !== undefined);
  if (phrases.length === 0 && !isDefaultOf) return [];
  return docstring(phrases.map((phrase) => `${phrase}.`).join(' '), isDefaultOf ? absent : undefined);
}

/** The docstring of `azureName`. */
export function azureNameDoc({ azureName = {} }: ArmKind): readonly string[] {
  const phrases = ['Name in Azure', ...bounds(azureName)].map((phrase) => `${phrase}.`);
  return docstring(phrases.join(' '), 'metadata.name');
}
