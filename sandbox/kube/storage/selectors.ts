import { labelKeyProblem, labelValueProblem } from '../model/names.ts';
import { badRequest } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';

/** Labels by key. */
export type Labels = Readonly<Record<string, string>>;

interface Requirement {
  readonly key: string;
  readonly operator: 'in' | 'notin' | 'exists' | 'absent' | 'gt' | 'lt';
  readonly values: readonly string[];
}

const meets = ({ key, operator, values }: Requirement, labels: Labels): boolean => {
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case 'absent':
      return value === undefined;
    case 'in':
      return value !== undefined && values.includes(value);
    case 'notin':
      return value === undefined || !values.includes(value);
    case 'gt':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) > Number(values[0]);
    case 'lt':
      return value !== undefined && /^-?\d+$/.test(value) && Number(value) < Number(values[0]);
  }
};

/** Parses a label selector (equality and set based); undefined for the empty one. Throws 400 as the API server does. */
export function parseLabelSelector(text: string): ((labels: Labels) => boolean) | undefined {
  const requirements = splitOutside(text, ',').map(parseRequirement);
  if (text.trim() === '') return undefined;
  return (labels) => requirements.every((requirement) => meets(requirement, labels));
}

function parseRequirement(raw: string): Requirement {
  const text = raw.trim();
  const set = /^([^\s!=<>(),]+)\s+(in|notin)\s*\(([^()]*)\)$/.exec(text);
  if (set) {
    const values = (set[3] as string).split(',').map((value) => value.trim());
    return checked({ key: set[1] as string, operator: set[2] as 'in' | 'notin', values });
  }
  const compared = /^([^\s!=<>(),]+)\s*(==|=|!=|>|<)\s*([^\s!=<>(),]*)$/.exec(text);
  if (compared) {
    const operator = { '==': 'in', '=': 'in', '!=': 'notin', '>': 'gt', '<': 'lt' } as const;
    const sign = compared[2] as keyof typeof operator;
    return checked({ key: compared[1] as string, operator: operator[sign], values: [compared[3] as string] });
  }
  const bare = /^(!?)\s*([^\s!=<>(),]+)$/.exec(text);
  if (bare) return checked({ key: bare[2] as string, operator: bare[1] ? 'absent' : 'exists', values: [] });
  if (text === '') return { key: '', operator: 'absent', values: [] };
  throw badRequest(`unable to parse requirement: found '${text}', expected: identifier`);
}

function checked(requirement: Requirement): Requirement {
  const problem = labelKeyProblem(requirement.key);
  if (problem) throw badRequest(`unable to parse requirement: key: Invalid value: "${requirement.key}": ${problem}`);
  for (const value of requirement.values) {
    const wrong = labelValueProblem(value);
    if (wrong)
      throw badRequest(
        `unable to parse requirement: values[0][${requirement.key}]: Invalid value: "${value}": ${wrong}`,
      );
  }
  return requirement;
}

/** Splits at `separator` where it is not within parentheses. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (text[index] === '(') depth += 1;
    else if (text[index] === ')') depth -= 1;
    else if (text[index] === separator && depth === 0) {
      parts.push(text.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, text.slice(start)];
}

/** A term of a field selector: `path=value` or `path!=value`. */
export interface FieldTerm {
  readonly path: string;
  readonly value: string;
  readonly negated: boolean;
}

/** Parses a field selector (`a=b,c!=d`; `\` escapes `,`, `=` and itself). Throws 400. */
export function parseFieldSelector(text: string): FieldTerm[] {
  const terms: FieldTerm[] = [];
  for (const term of text.split(/(?<!\\),/)) {
    if (term === '') continue;
    const match = /^([^=!]+)(==|=|!=)(.*)$/s.exec(term);
    if (!match) throw badRequest(`invalid selector: '${text}'; can't understand '${term}'`);
    const value = (match[3] as string).replaceAll(/\\([\\,=])/g, '$1');
    terms.push({ path: match[1] as string, value, negated: match[2] === '!=' });
  }
  return terms;
}

/** The value a field selector compares with: '' for an absent field. */
export function fieldValue(object: Unstructured, path: string): string {
  let value: unknown = object;
  for (const member of path.split('.')) {
    if (value === null || typeof value !== 'object') return '';
    value = (value as Unstructured)[member];
  }
  return value === undefined || value === null ? '' : String(value);
}
