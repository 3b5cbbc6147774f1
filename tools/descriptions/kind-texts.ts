import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import { idOf } from '../generate/catalogue.ts';
import { describeKind, type KindTexts } from './match.ts';
import { readModels } from './read-models.ts';
import { fetchPackages, folderOf, packagesFor, sdkPackages } from './sdk-packages.ts';

/** The texts of the fields of each kind that a package describes, by `idOf`. Gets the packages first. */
export function kindTexts(entries: readonly ArmKindEntry[]): ReadonlyMap<string, KindTexts> {
  const all = sdkPackages();
  const byKind = new Map(entries.map((entry) => [entry, packagesFor(idOf(entry), all)]));
  const packages = [...new Set([...byKind.values()].flat())];
  fetchPackages(packages);
  const models = readModels(packages.map(folderOf));
  return new Map(
    [...byKind].map(([entry, of]) => {
      const read = of.flatMap((each) => models.get(folderOf(each)) ?? []);
      return [idOf(entry), describeKind(entry, read)];
    }),
  );
}
