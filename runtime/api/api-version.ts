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

const used = (arm: ArmKind, spec: object) => [...limited(arm.fields, spec, 'spec')];

/**
 * The version under which a spec is sent: the one that it was applied under, where that knows every field that is set,
 * else the first that does, stored one first; undefined where fields of versions that exclude each other are set. All
 * versions share one schema, so the API server takes each field under each of them.
 */
export function versionFor(arm: ArmKind, spec: object, applied?: string): ChosenVersion | undefined {
  const fields = used(arm, spec);
  const appliedVersions = applied !== undefined && Object.hasOwn(arm.apiVersions, applied) ? [applied] : [];
  const version = [...appliedVersions, ...Object.keys(arm.apiVersions)].find((each) =>
    fields.every(([, versions]) => versions.includes(each)),
  );
  const apiVersion = version === undefined ? undefined : arm.apiVersions[version];
  return version === undefined || apiVersion === undefined ? undefined : { version, apiVersion };
}

/** Throws AZ_TERMINAL for fields of versions that exclude each other: no PUT could have all of them. */
export function checkVersion(arm: ArmKind, spec: object): void {
  if (versionFor(arm, spec)) return;
  const fields = used(arm, spec).map(([path, versions]) => `${path} only in ${versions.join(', ')}`);
  throw new AzimuthError(
    'AZ_TERMINAL',
    `Expected fields that one version of ${arm.armType} has together, got ${fields.join('; ')}`,
  );
}
