/**
 * The generator's input: one file for each kind under tools/catalogue, cut down from the operator catalogue to what
 * cannot be derived. The files are taken over by `npm run generate -- --from <operator-catalogue.json>`.
 */
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ArmKind, ErrorOverride, FieldTree, SecretSource, SoftDelete } from '../../runtime/api/types.ts';
import { compactJson } from './compact-json.ts';

/** How another API version of a kind differs from the chosen one. */
export interface VersionDifference {
  onlyHere?: { path: string; armPath: string; schema: FieldTree }[];
  typeDiffers?: { path: string; here: string; chosen: string }[];
  requiredInChosenOnly?: string[];
  enumValuesMissingInChosen?: { path: string; missing: string[] }[];
  rulesDifferInChosen?: { path: string; rule: string; chosen: string | number; here: string | number | null }[];
  whenAbsentNotHere?: string[];
}

/** A kind as tools/catalogue has it. `version` is the one that `spec` describes. */
export interface CatalogueKind {
  group: string;
  kind: string;
  plural: string;
  singular: string;
  version: string;
  servedVersions: { name: string; armApiVersion: string; differs?: VersionDifference; differsAs?: string }[];
  armType: string;
  armPath: string;
  scope: ArmKind['scope'];
  owner: ArmKind['owner'];
  azureNameFixed?: string;
  azureName?: { pattern?: string; minLength?: number; maxLength?: number };
  topLevel: string[];
  propertiesFlattened: boolean;
  noPropertiesMember?: boolean;
  deletable: boolean;
  operatorSpec: { secrets: string[]; configMaps: string[]; other?: Record<string, FieldTree> };
  secretSource: Partial<SecretSource> | null;
  softDelete?: SoftDelete;
  errorOverrides: ErrorOverride[];
  spec: FieldTree;
}

const folder = join(import.meta.dirname, '..', 'catalogue');

/** `<first label of the group>/<kind>`, unique within the catalogue. */
export const idOf = ({ group, kind }: { group: string; kind: string }) => `${group.split('.', 1)[0]}/${kind}`;

/** Every kind of tools/catalogue, in the order of its files. */
export function readCatalogue(): CatalogueKind[] {
  return globSync('*/*.json', { cwd: folder })
    .sort()
    .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')));
}

const pick = (from: Record<string, unknown>, members: readonly string[]) =>
  Object.fromEntries(members.filter((member) => from[member] !== undefined).map((member) => [member, from[member]]));

/** Drops what is prose or can be derived: descriptions of behaviour, renames, references, required paths. */
export function trimKind(source: Record<string, unknown>): CatalogueKind {
  const owner = source['owner'] as Record<string, unknown> | null;
  const secrets = source['secretSource'] as Record<string, unknown> | null;
  const { softDelete } = source;
  const values = (found: unknown) =>
    Object.fromEntries(
      Object.entries((found ?? {}) as Record<string, Record<string, unknown>>).map(([name, value]) => [
        name,
        pick(value, ['from', 'path', 'crPath', 'armPath', 'segment', 'as', 'decode']),
      ]),
    );
  return {
    ...pick(source, [
      'group',
      'kind',
      'plural',
      'singular',
      'version',
      'servedVersions',
      'armType',
      'armPath',
      'scope',
    ]),
    owner: owner && pick(owner, ['extension', 'kinds', 'group']),
    ...pick(source, ['azureNameFixed']),
    ...(source['azureName'] !== undefined && {
      azureName: pick(source['azureName'] as Record<string, unknown>, ['pattern', 'minLength', 'maxLength']),
    }),
    ...pick(source, ['topLevel', 'propertiesFlattened', 'noPropertiesMember', 'deletable']),
    operatorSpec: pick(source['operatorSpec'] as Record<string, unknown>, ['secrets', 'configMaps', 'other']),
    secretSource: secrets && {
      ...pick(secrets, ['action', 'actions', 'celNames']),
      ...(secrets['secrets'] !== undefined && { secrets: values(secrets['secrets']) }),
      ...(secrets['configMaps'] !== undefined && { configMaps: values(secrets['configMaps']) }),
    },
    ...(softDelete !== null &&
      typeof softDelete === 'object' && {
        softDelete: pick(softDelete as Record<string, unknown>, ['lookup', 'purge', 'originalId']),
      }),
    errorOverrides: (source['errorOverrides'] as Record<string, unknown>[]).map((override) =>
      pick(override, ['code', 'class', 'message', 'match', 'retry']),
    ),
    spec: source['spec'],
  } as unknown as CatalogueKind;
}

/** Replaces tools/catalogue's files by those of a whole operator catalogue. */
export function importCatalogue(file: string): number {
  const { kinds } = JSON.parse(readFileSync(file, 'utf8')) as { kinds: Record<string, unknown>[] };
  for (const kind of kinds.map(trimKind)) {
    const target = join(folder, `${idOf(kind)}.json`);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, `${compactJson(kind)}\n`);
  }
  return kinds.length;
}
