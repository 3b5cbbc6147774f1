/**
 * Writes the fields of the statuses into tools/catalogue, as the types of Azure Service Operator v2 declare them: of
 * each kind those of all its versions. Statuses of Azimuth have the same shape (test/aso/status-types.test.ts).
 *
 *   node tools/judges/aso-status-fields.ts        then: npm run generate
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StatusTree } from '../../runtime/api/schema/status-schema.ts';
import { isSecretText } from '../../runtime/arm-kinds/secret-value.ts';
import { idOf, readCatalogue } from '../generate/catalogue.ts';
import { compactJson } from '../generate/compact-json.ts';
import { type GoTypes, partsOf, readVersions } from './aso-go-types.ts';
import { asoModule } from './aso-module.ts';

type Members = Record<string, StatusTree>;

const scalars: Readonly<Record<string, StatusTree>> = {
  string: 'string',
  bool: 'boolean',
  int: 'integer',
  int64: 'integer',
  uint32: 'integer',
  float64: 'number',
};

function treeOf(types: GoTypes, type: string): StatusTree {
  const { container, element } = partsOf(type);
  if (container === '[]') return [treeOf(types, element)];
  if (container === '{}') return { '*': treeOf(types, element) };
  const fields = types.structs.get(element);
  if (fields?.length) return membersOf(types, element);
  // Enumerations are texts with a type of their own.
  return scalars[element] ?? (element.endsWith('_STATUS') ? 'string' : 'any');
}

/** Members that never are in a status are left out: secrets, which the operator drops. */
function membersOf(types: GoTypes, type: string): Members {
  const fields = types.structs.get(type) ?? [];
  const shown = fields.filter(({ json, type: own }) => !(isSecretText(json, 'text') && isText(own)));
  return Object.fromEntries(shown.map((field) => [field.json, treeOf(types, field.type)]));
}

const isText = (type: string) => partsOf(partsOf(type).element).element === 'string';

/** The fields of both. Where the versions of a field differ in type, it is of any type. */
function merged(one: StatusTree, other: StatusTree): StatusTree {
  if (typeof one === 'string' || typeof other === 'string') return one === other ? one : 'any';
  if (Array.isArray(one) || Array.isArray(other)) {
    return Array.isArray(one) && Array.isArray(other) ? [merged(one[0], other[0])] : 'any';
  }
  const [first, second] = [one as Members, other as Members];
  const names = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort();
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [first[name], second[name]];
      return [name, a === undefined ? (b as StatusTree) : b === undefined ? a : merged(a, b)];
    }),
  );
}

/**
 * The fields of the statuses by `<group without .azure.com>/<kind>`, from an unpacked module of Azure Service Operator.
 * `conditions` are left out, since every kind has them.
 */
export function statusFields(module: string): Map<string, Members> {
  const found = new Map<string, Members>();
  for (const { group, objects } of readVersions(module)) {
    for (const kind of objects.kinds) {
      const type = partsOf(objects.structs.get(kind)?.find(({ json }) => json === 'status')?.type ?? '').element;
      const { conditions: _, ...members } = membersOf(objects, type);
      const known = found.get(`${group}/${kind}`);
      found.set(`${group}/${kind}`, known ? (merged(known, members) as Members) : members);
    }
  }
  return found;
}

if (import.meta.main) {
  const module = asoModule();
  if (module === undefined) process.exit(1);
  const fields = statusFields(module);
  for (const kind of readCatalogue()) {
    const status = fields.get(idOf(kind));
    if (!status) continue;
    const file = join(import.meta.dirname, '..', 'catalogue', `${idOf(kind)}.json`);
    const text: unknown = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, `${compactJson({ ...(text as object), status })}\n`);
  }
  console.log(`${fields.size} kinds`);
}
