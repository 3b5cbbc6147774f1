import { checkRelativePath } from '../../api/volumes/file-names.ts';
import { namePlaceholder } from '../../api/volumes/object-selections.ts';
import { mostObjects, type ObjectType, objectNamePattern } from '../../api/volumes/vault-objects.ts';
import type { VaultCollection } from '../../azure/key-vault/vault-items.ts';
import { AzimuthError } from '../../base/errors.ts';
import { convertInTurn } from '../vault/conversion.ts';
import { type FetchOptions, readEach, type VaultReader } from '../vault/fetch.ts';
import { isSelected, labelOf } from './object-selection.ts';
import { type ProviderObject, withObjectName } from './provider-object.ts';

/** Most objects that one pattern or tag may select; each takes a request to the vault, and memory of the node. */
const mostSelected = 100;

/** Where the vault has the objects of a type. */
export const collections: Readonly<Record<ObjectType, VaultCollection>> = {
  secret: 'secrets',
  key: 'keys',
  cert: 'certificates',
};

/** Most objects that the entries of a class can be. */
export function mostReads(objects: readonly ProviderObject[]): number {
  return objects.reduce((sum, { select }) => sum + (select ? mostSelected : 1), 0);
}

/**
 * The objects with those that patterns and tags select, in the order of their names. Reads the list of the vault each
 * time, so that a rotation of the driver finds new objects.
 *
 * @throws AZ_VOLUME_CONTENT for more than 100 objects of an entry, or 500 in all
 */
export async function selectedObjects(
  objects: readonly ProviderObject[],
  options: FetchOptions,
): Promise<readonly ProviderObject[]> {
  if (!objects.some(({ select }) => select)) return objects;
  const each = async (object: ProviderObject, reader: VaultReader) =>
    object.select ? withObjectName(object, selected(object, reader, options)) : [object];
  const all = (await readEach(objects, each, options)).flat();
  if (all.length <= mostObjects) return all;
  throw tooMany(`The class means ${all.length} objects of the vault, ${mostObjects} is the most`);
}

async function selected(
  object: ProviderObject,
  reader: VaultReader,
  { convert = convertInTurn }: FetchOptions,
): Promise<ProviderObject[]> {
  const { select, ...one } = object;
  if (!select) return [object];
  const listed = await reader.objects(collections[object.type]);
  // Thousands of names that nearly fit take tens of milliseconds.
  const fitting = await convert(async () =>
    listed.filter((each) => objectNamePattern.test(each.name) && isSelected(select, each)),
  );
  const names = [...new Set(fitting.map(({ name }) => name))].sort();
  if (names.length > mostSelected) {
    throw tooMany(`the vault has ${names.length} such objects, ${mostSelected} is the most of one entry`);
  }
  return names.map((name) => {
    const file = object.file.replaceAll(namePlaceholder, name);
    checkRelativePath(file, 'objectAlias');
    return { ...one, name, file, label: labelOf(object.type, name, '') };
  });
}

function tooMany(what: string): AzimuthError {
  return new AzimuthError(
    'AZ_VOLUME_CONTENT',
    `${what}: narrow objectNamePattern and objectTag, or use several SecretProviderClasses`,
  );
}
