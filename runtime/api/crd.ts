import { azimuthName, definitionAnnotation, nameLabel } from './own-definition.ts';
import { preferredVersion, storedVersion } from './preferred-version.ts';
import type { StructuralSchema } from './schema/structural-schema.ts';
import type { KindDefinition, PrinterColumn } from './types.ts';

/** Schema keywords in the order they are written, so that equal schemas give equal bytes. */
const keywords = [
  'description',
  'type',
  'format',
  'nullable',
  'enum',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'required',
  'x-kubernetes-embedded-resource',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-validations',
  'not',
  'oneOf',
  'allOf',
  'additionalProperties',
  'items',
  'properties',
] as const satisfies (keyof StructuralSchema)[];

/** A CustomResourceDefinition as it is applied. */
export interface CrdManifest {
  apiVersion: 'apiextensions.k8s.io/v1';
  kind: 'CustomResourceDefinition';
  metadata: { name: string; annotations: Record<string, string>; labels: Record<string, string> };
  spec: {
    group: string;
    names: {
      kind: string;
      listKind: string;
      plural: string;
      singular: string;
      shortNames?: string[];
      categories?: string[];
    };
    scope: 'Namespaced' | 'Cluster';
    versions: CrdVersion[];
  };
}

/** An entry of `spec.versions` of a CustomResourceDefinition (apiextensions.k8s.io/v1). */
export interface CrdVersion {
  name: string;
  served: boolean;
  storage: boolean;
  deprecated?: boolean;
  schema: { openAPIV3Schema: StructuralSchema };
  subresources?: { status: Record<string, never> };
  additionalPrinterColumns?: PrinterColumn[];
}

/** Options of the CRDs that are written for the kinds. */
export interface CrdOptions {
  /**
   * Whether to write CEL rules. API servers before 1.23 drop them, and kubectl refuses to send them there; without
   * CEL the rules about members that exclude each other are written structurally, and those about changes are left to
   * the operator.
   * @default true
   */
  readonly cel?: boolean | undefined;
  /**
   * Which versions to serve: every one that ASO v2's users may name in a manifest, only the stored one, or that and those
   * listed as `group/version`, which other kinds of the list's groups may not have. An API server holds the schema, the validators and the published paths of each version apart (docs/adr/0012-lean-crds.md).
   * @default 'all'
   */
  readonly versions?: VersionChoice | undefined;
  /**
   * What Azure's SDK says about the fields of this kind, by path, such as `spec.sku.name`. Fields that have a description
   * of Azimuth keep it.
   * @default none
   */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /**
   * Which versions have descriptions: the one that discovery prefers, and that `kubectl explain` therefore shows, or all.
   * @default 'newest'
   */
  readonly descriptions?: DescriptionChoice | undefined;
}

/** Which versions of a definition describe their fields. */
export type DescriptionChoice = 'newest' | 'all';

/** The versions that the CRDs serve: all, only the stored one, or the stored one and a list of `group/version`. */
export type VersionChoice = 'all' | 'newest' | readonly string[];

interface Style {
  readonly described: boolean;
  readonly cel: boolean;
  readonly texts: Readonly<Record<string, string>>;
}

/** The schema of a kind, or the same with the outline of the status in place of its fields. */
function withStatus(kind: KindDefinition, declared: boolean): StructuralSchema {
  const { schema, statusOutline } = kind;
  if (declared || !statusOutline) return schema;
  return { ...schema, properties: { ...schema.properties, status: statusOutline } };
}

const withText = (schema: StructuralSchema, text: string | undefined): StructuralSchema =>
  text === undefined ? schema : { description: text, ...schema };

/** `above`: the path of the field and a dot, empty at the top. Items of a list and values of a map are below their field. */
function ordered(source: StructuralSchema, style: Style, above = ''): StructuralSchema {
  const { 'x-kubernetes-validations': rules, withoutCel, ...rest } = source;
  const schema: StructuralSchema = style.cel
    ? { ...rest, ...(rules && { 'x-kubernetes-validations': rules }) }
    : { ...rest, ...(withoutCel && { allOf: withoutCel }) };
  const result: Record<string, unknown> = {};
  for (const keyword of keywords) {
    const value = schema[keyword];
    if (value === undefined || (keyword === 'description' && !style.described)) continue;
    if (keyword === 'properties') {
      const members = Object.entries(value as Record<string, StructuralSchema>).sort(([a], [b]) => (a < b ? -1 : 1));
      const of = ([name, child]: [string, StructuralSchema]): [string, StructuralSchema] => {
        const path = `${above}${name}`;
        return [name, ordered(withText(child, style.texts[path]), style, `${path}.`)];
      };
      result[keyword] = Object.fromEntries(members.map(of));
    } else if (keyword === 'items' || keyword === 'additionalProperties') {
      result[keyword] = ordered(value as StructuralSchema, style, above);
    } else {
      // Most values are texts, which structuredClone takes long to copy.
      result[keyword] = typeof value === 'object' ? structuredClone(value) : value;
    }
  }
  return result;
}

const printerColumn = ({ name, type, jsonPath, priority, description }: PrinterColumn): PrinterColumn => ({
  name,
  type,
  jsonPath,
  ...(priority !== undefined && { priority }),
  ...(description !== undefined && { description }),
});

/**
 * The CustomResourceDefinition (apiextensions.k8s.io/v1) of a kind, the same bytes each time. All versions have one
 * schema; only that of the version which discovery prefers, and `kubectl explain` therefore shows, carries the
 * descriptions below the top by default, which keeps the API server's copies of kinds with many versions small. For the
 * same reason this version, the stored one and those that `versions` lists declare the fields of the status, and the others do not.
 */
export function crdManifest(
  kind: KindDefinition,
  { cel = true, versions = 'all', texts = {}, descriptions = 'newest' }: CrdOptions = {},
): CrdManifest {
  const stored = storedVersion(kind);
  const asked = (name: string) => Array.isArray(versions) && versions.includes(`${kind.group}/${name}`);
  const served = kind.versions.filter(({ name }) => versions === 'all' || name === stored || asked(name));
  const preferred = preferredVersion(served.map(({ name }) => name));
  const made = new Map<string, StructuralSchema>();
  const schemaOf = (name: string): StructuralSchema => {
    const described = descriptions === 'all' || name === preferred;
    const declared = name === preferred || name === stored || asked(name);
    const key = `${described} ${declared}`;
    const definition = made.get(key);
    if (definition) return definition;
    const schema = { description: kind.description, ...ordered(withStatus(kind, declared), { described, cel, texts }) };
    made.set(key, schema);
    return schema;
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${kind.plural}.${kind.group}`,
      annotations: { ...kind.annotations, [definitionAnnotation]: 'true' },
      labels: { [nameLabel]: azimuthName },
    },
    spec: {
      group: kind.group,
      names: {
        kind: kind.kind,
        listKind: `${kind.kind}List`,
        plural: kind.plural,
        singular: kind.singular,
        ...(kind.shortNames.length > 0 && { shortNames: [...kind.shortNames] }),
        ...(kind.categories.length > 0 && { categories: [...kind.categories] }),
      },
      scope: kind.namespaced ? 'Namespaced' : 'Cluster',
      versions: served.map(({ name, deprecated }) => ({
        name,
        served: true,
        storage: name === stored,
        ...(deprecated && { deprecated }),
        schema: { openAPIV3Schema: schemaOf(name) },
        ...(kind.statusSubresource && { subresources: { status: {} } }),
        ...(kind.printerColumns.length > 0 && {
          additionalPrinterColumns: kind.printerColumns.map(printerColumn),
        }),
      })),
    },
  };
}
