import type { ArmKind, FieldTree } from '../../runtime/api/types.ts';

const meanings: Readonly<Record<string, string>> = {
  location: 'Azure region, such as westeurope.',
  tags: 'Azure tags.',
  identity: 'The managed identities that the resource itself uses.',
  sku: 'Pricing tier.',
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

function meaning(name: string, field: FieldTree, depth: number, targets: readonly string[]): string[] {
  const known = depth === 0 ? meanings[name] : undefined;
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
      return known ? [known.slice(0, -1)] : [];
  }
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
 * @param depth objects above the field, without the envelope `properties`
 */
export function fieldDoc(
  name: string,
  field: FieldTree,
  { required, depth, targets }: { required: boolean; depth: number; targets: readonly string[] },
): readonly string[] {
  const { onlyIn, whenAbsent } = field;
  const phrases = [
    ...meaning(name, field, depth, targets),
    ...bounds(field),
    ...(onlyIn ? [`Only in ${onlyIn.join(', ')}`] : []),
  ];
  const absent =
    whenAbsent === undefined ? "Azure's own value" : whenAbsent === 'null' ? 'sent as null' : 'sent as empty';
  const isDefaultOf = !required && (depth === 0 || phrases.length > 0 || whenAbsent !== undefined);
  if (phrases.length === 0 && !isDefaultOf) return [];
  const text = phrases.map((phrase) => `${phrase}.`).join(' ');
  return docstring(text, isDefaultOf ? absent : undefined);
}

/** The docstring of `azureName`. */
export function azureNameDoc({ azureName = {} }: ArmKind): readonly string[] {
  const phrases = ['Name in Azure', ...bounds(azureName)].map((phrase) => `${phrase}.`);
  return docstring(phrases.join(' '), 'metadata.name');
}
