/**
 * The generator's input: one file for each kind under tools/catalogue, cut down from the operator catalogue to the
 * data that cannot be derived.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusMembers } from '../../runtime/api/schema/status-schema.ts';
import type {
  ArmKind,
  ErrorOverride,
  FieldTree,
  GeneratedCredentials,
  KeyRotation,
  SecretSource,
  SoftDelete,
} from '../../runtime/api/types.ts';

/** How another API version of a kind differs from the chosen one. */
export interface VersionDifference {
  onlyHere?: { path: string; armPath: string; schema: FieldTree }[];
  typeDiffers?: { path: string; here: string; chosen: string }[];
  requiredInChosenOnly?: string[];
  enumValuesMissingInChosen?: { path: string; missing: string[] }[];
  rulesDifferInChosen?: { path: string; rule: string; chosen: string | number; here: string | number | null }[];
  whenAbsentNotHere?: string[];
}

/** One sentence for each field, by its path below `spec`: `sku.name`. A step `*` is any one name. */
export type Meanings = Readonly<Record<string, string>>;

/** A kind as tools/catalogue has it. `version` is the one that `spec` describes. */
export interface CatalogueKind {
  group: string;
  kind: string;
  plural: string;
  singular: string;
  /** kubectl's short name; no other kind and nothing of Kubernetes has it. */
  shortName: string;
  version: string;
  servedVersions: { name: string; armApiVersion: string; differs?: VersionDifference; differsAs?: string }[];
  armType: string;
  armPath: string;
  scope: ArmKind['scope'];
  owner: ArmKind['owner'];
  azureNameFixed?: string;
  /** `everyVersion`: the rules hold in each version, also in those that do not write them down. */
  azureName?: NonNullable<ArmKind['azureName']> & { everyVersion?: boolean };
  topLevel: string[];
  propertiesFlattened: boolean;
  noPropertiesMember?: boolean;
  deletable: boolean;
  presence?: ArmKind['presence'];
  beforeDelete?: ArmKind['beforeDelete'];
  /** Of a kind that is no ARM resource; its versions have `""` as api-version. */
  dataPlane?: ArmKind['dataPlane'];
  childScope?: string;
  rules?: ArmKind['rules'];
  operatorSpec: { secrets: string[]; configMaps: string[]; other?: Record<string, FieldTree> };
  secretSource: Partial<SecretSource> | null;
  generatedCredentials?: GeneratedCredentials;
  keyRotation?: KeyRotation;
  softDelete?: SoftDelete;
  errorOverrides: ErrorOverride[];
  /** ASO v2 has no such kind. @default false */
  notInAso?: boolean;
  /** Our own words for fields that no package of Azure's SDK describes, by path below `spec`; a step `*` is any name. */
  meanings?: Meanings;
  spec: FieldTree;
  /** By tools/judges/aso-status-fields.ts. */
  status?: StatusMembers;
}

const folder = join(import.meta.dirname, '..', 'catalogue');

/** `<group without .azure.com>/<kind>`, unique within the catalogue. */
export const idOf = ({ group, kind }: { group: string; kind: string }) =>
  `${group.replace(/\.azure\.com$/, '')}/${kind}`;

/**
 * Every kind of tools/catalogue, in the order of its files.
 *
 * @throws where a file has another name than its kind, or a kind's short name is missing or used twice
 */
export function readCatalogue(): CatalogueKind[] {
  const byShortName = new Map<string, string>();
  return globSync('*/*.json', { cwd: folder })
    .sort()
    .map((file) => {
      const kind = JSON.parse(readFileSync(join(folder, file), 'utf8')) as CatalogueKind;
      if (`${idOf(kind)}.json` !== file) throw new Error(`tools/catalogue/${file} describes ${idOf(kind)}: rename it`);
      checkShortName(kind, byShortName);
      return kind;
    });
}

/** Remembers the short name of a kind in `seen`. Throws where it is missing, malformed or another kind's. */
export function checkShortName(kind: CatalogueKind, seen: Map<string, string>): void {
  const { shortName } = kind;
  const other = seen.get(shortName);
  if (!/^[a-z0-9]+$/.test(shortName ?? '') || other !== undefined) {
    const wanted = 'lower-case letters and digits that no other kind has';
    throw new Error(`${idOf(kind)} needs a shortName of ${wanted}, got \`${shortName}\`${other ? ` of ${other}` : ''}`);
  }
  seen.set(shortName, idOf(kind));
}
