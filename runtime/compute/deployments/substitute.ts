import { isObject, type JsonObject } from '../../base/json.ts';

/** A problem of a template, or of a location of it. */
export interface DeploymentProblem {
  /** Place in the spec, such as `template.manifests[2].spec.location`. */
  readonly path: string;
  /** The problem, and how to fix it. */
  readonly message: string;
  /** Milliseconds after which it may have passed without a change of the template. @default it does not pass */
  readonly retryAfterMs?: number;
}

/** Most characters that the strings of one location may have after substitution. */
const maxCharacters = 1_048_576;
/** Most levels of a manifest. */
const maxDepth = 64;

const placeholder = /\$(\$?)\{([^{}]{0,128})\}/g;
const wholeText = /^\$\{([^{}]{0,128})\}$/;

/** Bounds the characters of all substitutions of one location. */
export class SubstitutionBudget {
  #left = maxCharacters;

  /** Whether so many more characters are allowed. */
  take(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}

/** Parameters, budget and problems of a substitution. */
export interface Substitution {
  readonly parameters: Readonly<JsonObject>;
  readonly budget: SubstitutionBudget;
  readonly problems: DeploymentProblem[];
}

/**
 * The value with each `${name}` in its strings replaced by the parameter of this name. A string that is one placeholder
 * becomes the parameter with its type; inside a longer string, strings, numbers and booleans are allowed. `$${` stands for
 * `${`. Names of members stay as they are, and parameters are not searched for placeholders.
 */
export function substitute(value: unknown, path: string, substitution: Substitution, depth = 0): unknown {
  if (depth > maxDepth) return problem(substitution, path, `The manifest has more than ${maxDepth} levels: flatten it`);
  if (typeof value === 'string') return substituteText(value, path, substitution);
  if (Array.isArray(value))
    return value.map((item, index) => substitute(item, `${path}[${index}]`, substitution, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      substitute(member, `${path}.${name}`, substitution, depth + 1),
    ]),
  );
}

function substituteText(text: string, path: string, substitution: Substitution): unknown {
  const whole = wholeText.exec(text)?.[1];
  if (whole !== undefined) {
    const value = parameter(whole, path, substitution);
    return fits(JSON.stringify(value ?? '').length, path, substitution) ? value : '';
  }
  const result = text.replace(placeholder, (found, dollar: string, name: string) => {
    if (dollar !== '') return found.slice(1);
    const value = parameter(name, path, substitution);
    if (['string', 'number', 'boolean'].includes(typeof value)) return fitted(String(value), path, substitution);
    if (value !== undefined)
      problem(
        substitution,
        path,
        `The parameter ${name} is no string, number or boolean: use it alone, as "\${${name}}"`,
      );
    return '';
  });
  return fitted(result, path, substitution);
}

function parameter(name: string, path: string, substitution: Substitution): unknown {
  const { parameters } = substitution;
  if (Object.hasOwn(parameters, name)) return parameters[name];
  const known = Object.keys(parameters).slice(0, 10).join(', ');
  return problem(
    substitution,
    path,
    `The parameter ${JSON.stringify(name)} has no value: add it to spec.parameters or to each location, or write $\${ for a literal \${ (there are ${known})`,
  );
}

function fitted(text: string, path: string, substitution: Substitution): string {
  return fits(text.length, path, substitution) ? text : '';
}

function fits(characters: number, path: string, substitution: Substitution): boolean {
  if (substitution.budget.take(characters)) return true;
  problem(
    substitution,
    path,
    `The manifests of a location have more than ${maxCharacters} characters with their parameters`,
  );
  return false;
}

function problem({ problems }: Substitution, path: string, message: string): undefined {
  if (problems.length < 100 && !problems.some((each) => each.path === path && each.message === message))
    problems.push({ path, message });
  return undefined;
}

/** The name of a resource group of a deployment in one location: only `${location}` is replaced. */
export function atLocation(text: string, location: string): string {
  return text.replaceAll('${location}', location);
}
