import { readFileSync } from 'node:fs';
import type { ArmKindNames } from './arm-kind.ts';
import type { ArmKind } from './types.ts';

/** Where a kind's data are below `generated`, which the bundle has beside its programs: `storage/storage-account`. */
export function dataPath({ group, kind }: Pick<ArmKindNames, 'group' | 'kind'>): string {
  const words = kind.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1-$2');
  return `${group.replace(/\.azure\.com$/, '')}/${words.toLowerCase()}`;
}

const read = (path: string) =>
  JSON.parse(readFileSync(new URL(`./generated/${path}.json`, import.meta.url), 'utf8')) as unknown;

/** Reads the names of every kind of the catalogue. */
export function readArmKindNames(): ArmKindNames[] {
  return read('index') as ArmKindNames[];
}

/** Reads the data of a kind of the catalogue from its file. */
export function readArmKind(names: Pick<ArmKindNames, 'group' | 'kind'>): ArmKind {
  return read(dataPath(names)) as ArmKind;
}
