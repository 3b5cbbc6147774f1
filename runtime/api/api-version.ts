import { AzimuthError } from '../base/errors.ts';
import type { ArmKind, FieldTree } from './types.ts';

/** A served version of a kind and the ARM api-version that it stands for. */
export interface ChosenVersion {
  /** Served version name, such as v1api20210401; `onlyIn` and `whenAbsentNotIn` of the fields speak of these. */
  readonly version: string;
  /** The api-version of requests to ARM. */
  readonly apiVersion: string;
}

/** The fields that are set and that only some versions know, with their paths. */
function* limited(field: FieldTree, value: unknown, path: string): Generator<[string, readonly string[]]> {
  if (value === undefined || value === null) return;
  if (field.onlyIn) yield [path, field.onlyIn];
  if (field.items && Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* limited(field.items, item, `${path}[${index}]`);
  } else if (typeof value === 'object' && !Array.isArray(value)) {
    for (const [name, member] of Object.entries(value)) {
      const child = field.properties?.[name] ?? field.values;
      if (child) yield* limited(child, member, `${path}.${name}`);
    }
  }
}

/**
 * The version under which a spec is sent: of all versions of the kind, stored one first, the first that knows every
 * field that is set. An object does not record its version, as all versions share one schema.
 *
 * @throws AzimuthError AZ_SCHEMA_INVALID when fields of versions that exclude each other are set
 */
export function versionFor(arm: ArmKind, spec: object): ChosenVersion {
  const used = [...limited(arm.fields, spec, 'spec')];
  for (const [version, apiVersion] of Object.entries(arm.apiVersions)) {
    if (used.every(([, versions]) => versions.includes(version))) return { version, apiVersion };
  }
  const fields = used.map(([path, versions]) => `${path} only in ${versions.join(', ')}`);
  throw new AzimuthError(
    'AZ_SCHEMA_INVALID',
    `Expected fields that one version of ${arm.armType} has together, got ${fields.join('; ')}`,
  );
}
