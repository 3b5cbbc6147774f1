import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import { idOf, type Meanings } from '../generate/catalogue.ts';
import { catalogueMeaning } from '../generate/field-docs.ts';
import { meaningAt } from '../generate/meanings.ts';
import type { CatalogueEntry } from '../generate/merge-versions.ts';
import { referenceTargets } from '../generate/reference-targets.ts';
import { describeKind, fieldsOf, type KindField, type KindTexts, withFieldsBelow } from './match.ts';
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

/** What Azure shows of each resource, by path; many packages say nothing about it. */
const commonTexts: Readonly<Record<string, string>> = {
  'status.identity': 'The managed identities that the resource uses.',
  'status.identity.principalId': 'Object id of its own identity in Microsoft Entra ID.',
  'status.identity.tenantId': 'Tenant of its own identity.',
  'status.identity.type': 'Which managed identities it uses.',
  'status.identity.userAssignedIdentities': 'Its user-assigned identities, by ARM id.',
  'status.identity.userAssignedIdentities.clientId': 'Client id of the identity.',
  'status.identity.userAssignedIdentities.principalId': 'Object id of the identity in Microsoft Entra ID.',
  'status.location': 'Azure region of the resource.',
  'status.name': 'Name of the resource in Azure.',
  'status.properties': 'Properties of the resource.',
  'status.properties.provisioningState': 'How far Azure is with the last change.',
  'status.provisioningState': 'How far Azure is with the last change.',
  'status.systemData': 'When and by whom the resource was created and changed.',
  'status.systemData.createdAt': 'When it was created.',
  'status.systemData.createdBy': 'Who created it.',
  'status.systemData.createdByType': 'What kind of identity created it.',
  'status.systemData.lastModifiedAt': 'When it was changed last.',
  'status.systemData.lastModifiedBy': 'Who changed it last.',
  'status.systemData.lastModifiedByType': 'What kind of identity changed it last.',
  'status.tags': 'Azure tags of the resource.',
  'status.type': 'Type of the resource in Azure.',
};

/** The texts for definitions: those of the packages, and the catalogue's own words for other fields. */
export function definitionTexts(entry: CatalogueEntry, packages: ReadonlyMap<string, string>): Record<string, string> {
  const texts = withFieldsBelow(fieldsOf(entry)).flatMap((field) => {
    const text = packages.get(field.path) ?? commonTexts[field.path] ?? meaningInCatalogue(field, entry.meanings);
    return text === undefined ? [] : [[field.path, text] as const];
  });
  return Object.fromEntries(texts);
}

/** What the catalogue says about the meaning of a field of a spec: in words of its own, or by its data. */
export function meaningInCatalogue({ name, path, tree }: KindField, meanings?: Meanings): string | undefined {
  if (!tree) return undefined;
  const own = meaningAt(meanings, path);
  if (own !== undefined) return own;
  const names = path.split('.').slice(1);
  const depth = names.filter((each) => each !== 'properties').length - 1;
  const parent = names.at(-2) ?? '';
  return catalogueMeaning(name, tree, { parent, depth, targets: referenceTargets(names.join('.')) });
}
