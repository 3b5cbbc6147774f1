import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import type { ArmKind, FieldTree, SecretSource } from '../../runtime/api/types.ts';
import { type CatalogueKind, idOf, type Meanings, type VersionDifference } from './catalogue.ts';
import { statusOfSpec } from './spec-status.ts';

type Mutable<T> = { -readonly [member in keyof T]: T[member] };
type Rules = { pattern?: string; minLength?: number; maxLength?: number; minimum?: number; maximum?: number };

/** The fields of the catalogue name items as `a[].b` and values as `a{}.b`. */
function find(root: FieldTree, path: string): Mutable<FieldTree> | undefined {
  let field: FieldTree | undefined = root;
  for (const step of path.replaceAll('[]', '.[]').replaceAll('{}', '.{}').split('.')) {
    field = step === '[]' ? field?.items : step === '{}' ? field?.values : field?.properties?.[step];
  }
  return field as Mutable<FieldTree> | undefined;
}

const parentOf = (path: string) => (path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '');
const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1);

function fail(kind: CatalogueKind, version: string, what: string): never {
  throw new Error(`${idOf(kind)} ${version}: ${what}`);
}

/** Widens one rule so that whatever either version takes still fits. */
function widen(rules: Mutable<Rules>, rule: string, here: string | number | null): void {
  if (here === null) delete rules[rule as keyof Rules];
  else if (rule === 'pattern') rules.pattern = `(?:${rules.pattern})|(?:${here})`;
  else if (rule === 'minLength' || rule === 'minimum') rules[rule] = Math.min(rules[rule] ?? 0, Number(here));
  else if (rule === 'maxLength' || rule === 'maximum') rules[rule] = Math.max(rules[rule] ?? 0, Number(here));
  else throw new Error(`no way to widen the rule ${rule}`);
}

function widenAll(
  kind: CatalogueKind,
  version: string,
  spec: Mutable<FieldTree>,
  difference: VersionDifference,
  names: Rules,
) {
  for (const { path, armPath, schema } of difference.onlyHere ?? []) {
    if (lastOf(path) !== lastOf(armPath)) fail(kind, version, `${path} is renamed to ${armPath}: not supported`);
    const parent = (parentOf(path) ? find(spec, parentOf(path)) : spec) ?? fail(kind, version, `no parent of ${path}`);
    const known = parent.properties?.[lastOf(path)];
    const onlyIn = [...(known?.onlyIn ?? []), version];
    parent.properties = { ...parent.properties, [lastOf(path)]: { ...(known ?? structuredClone(schema)), onlyIn } };
  }
  for (const path of difference.requiredInChosenOnly ?? []) {
    const parent = (parentOf(path) ? find(spec, parentOf(path)) : spec) ?? fail(kind, version, `no parent of ${path}`);
    parent.required = (parent.required ?? []).filter((name) => name !== lastOf(path));
  }
  for (const { path, missing } of difference.enumValuesMissingInChosen ?? []) {
    const field = find(spec, path) ?? fail(kind, version, `no field ${path}`);
    if (missing.includes('(free string here)') || typeof missing === 'string') delete field.enum;
    else if (field.enum) field.enum = [...new Set([...field.enum, ...missing])].sort();
  }
  for (const { path, rule, here } of difference.rulesDifferInChosen ?? []) {
    const rules = path === 'azureName' ? names : find(spec, path);
    widen(rules ?? fail(kind, version, `no field ${path}`), rule, here);
  }
  for (const path of difference.whenAbsentNotHere ?? []) {
    const field = find(spec, path) ?? fail(kind, version, `no field ${path}`);
    field.whenAbsentNotIn = [...(field.whenAbsentNotIn ?? []), version];
  }
  for (const { path, here, chosen } of difference.typeDiffers ?? []) {
    const isWider = chosen === 'any' || (here === 'integer' && chosen === 'number');
    if (!isWider) fail(kind, version, `${path} has another type than ${chosen}: not supported`);
  }
}

/** Brings a source of exported values to one shape. */
function secretSource(source: Partial<SecretSource> | null): SecretSource | null {
  if (!source) return null;
  const { action = null, actions, secrets = {}, configMaps, celNames = [] } = source;
  return { action, ...(actions && { actions }), secrets, ...(configMaps && { configMaps }), celNames };
}

/** A kind as the programs know it, and the catalogue's words about its fields, which no program needs. */
export interface CatalogueEntry extends ArmKindEntry {
  readonly meanings?: Meanings;
}

/**
 * One entry for all served versions of a kind: its fields are those of every version, its rules the widest, so that a
 * manifest of any version fits. The version that the fields describe comes first and is the stored one.
 */
export function mergeVersions(kind: CatalogueKind): CatalogueEntry {
  const spec = structuredClone(kind.spec);
  const { generatedCredentials, keyRotation } = kind;
  const { everyVersion, ...rules }: NonNullable<CatalogueKind['azureName']> = kind.azureName ?? {};
  const names: Rules = { ...rules };
  for (const { name, differs, differsAs } of kind.servedVersions) {
    const difference = differs ?? kind.servedVersions.find((other) => other.name === differsAs)?.differs;
    if (differsAs && !difference) fail(kind, name, `differs as ${differsAs}, which does not differ`);
    if (difference) widenAll(kind, name, spec, difference, names);
  }
  const versions = [...kind.servedVersions].sort(
    (a, b) => Number(b.name === kind.version) - Number(a.name === kind.version),
  );
  const status = kind.status ?? statusOfSpec(kind);
  const arm: ArmKind = {
    armType: kind.armType,
    apiVersions: Object.fromEntries(versions.map(({ name, armApiVersion }) => [name, armApiVersion])),
    armPath: kind.armPath,
    scope: kind.scope,
    owner: kind.owner,
    ...(kind.azureNameFixed !== undefined && { azureNameFixed: kind.azureNameFixed }),
    ...(kind.azureNameFixed === undefined &&
      !kind.dataPlane?.namesItself && { azureName: everyVersion ? rules : names }),
    topLevel: kind.topLevel,
    propertiesFlattened: kind.propertiesFlattened,
    noProperties: kind.noPropertiesMember ?? false,
    deletable: kind.deletable,
    ...(kind.presence && { presence: kind.presence }),
    ...(kind.beforeDelete && { beforeDelete: kind.beforeDelete }),
    ...(kind.dataPlane && { dataPlane: kind.dataPlane }),
    ...(kind.childScope !== undefined && { childScope: kind.childScope }),
    ...(kind.rules && { rules: kind.rules }),
    operatorSpec: kind.operatorSpec,
    secretSource: secretSource(kind.secretSource),
    ...(generatedCredentials && { generatedCredentials }),
    ...(keyRotation && { keyRotation }),
    ...(kind.softDelete && { softDelete: kind.softDelete }),
    errorOverrides: kind.errorOverrides,
    fields: spec,
    ...(status && { status }),
  };
  const { group, kind: name, plural, singular, armType } = kind;
  const served = versions.map((version) => version.name);
  return {
    ...{ group, kind: name, plural, singular, shortNames: [kind.shortName], armType, versions: served, arm },
    ...(kind.meanings && { meanings: kind.meanings }),
  };
}
