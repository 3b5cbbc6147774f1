import { nearest } from '../../../base/text/edit-distance.ts';
import { access } from './access.ts';
import { arrays } from './arrays.ts';
import { cidr } from './cidr.ts';
import { azureData } from './data/azure-data.ts';
import { dates } from './dates.ts';
import { deployment } from './deployment.ts';
import type { FunctionTable, TemplateFunction } from './function-spec.ts';
import { lambdas } from './lambdas.ts';
import { logic } from './logic.ts';
import { numbers } from './numbers.ts';
import { listFunction, resources } from './resources.ts';
import { strings } from './strings.ts';
import { uris } from './uris.ts';

/** Every function by subject; docs/reference/templates.md has these tables. */
export const functionSubjects: Readonly<Record<string, FunctionTable>> = {
  Strings: { ...strings, ...uris },
  'Arrays and objects': { ...arrays, ...access },
  Lambdas: lambdas,
  'Dates and times': dates,
  'Address ranges': cidr,
  Numbers: numbers,
  Logic: logic,
  Resources: { ...resources, 'list*': listFunction },
  Deployment: deployment,
  'Facts about Azure': azureData,
};

const byName: ReadonlyMap<string, TemplateFunction> = new Map(
  Object.values(functionSubjects).flatMap((table) =>
    Object.entries(table).map(([name, spec]) => [name.toLowerCase(), spec] as const),
  ),
);

/** The function of this name, ignoring case; undefined for one that is not supported. */
export function findFunction(name: string): TemplateFunction | undefined {
  const lower = name.toLowerCase();
  const found = byName.get(lower);
  if (found) return found;
  return /^list[a-z]{0,60}$/.test(lower) ? listFunction : undefined;
}

const contextFree: ReadonlySet<string> = new Set(
  [strings, uris, arrays, access, dates, cidr, numbers, logic]
    .flatMap((table) => Object.keys(table))
    .map((name) => name.toLowerCase())
    .filter((name) => name !== 'copyindex'),
);

/** Whether the value of the function depends on its arguments alone. */
export const isContextFree = (name: string): boolean => contextFree.has(name.toLowerCase());

/** The name of a function that this one could be a misspelling of. */
export function nearestFunction(name: string): string | undefined {
  const names = Object.values(functionSubjects).flatMap((table) => Object.keys(table));
  return nearest(name, names, (each) => each);
}
