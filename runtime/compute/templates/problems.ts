import { nearest } from '../../base/text/edit-distance.ts';
import { templateLimits } from './limits.ts';

/** Every problem of a template by name; docs/reference/templates.md has these rows. */
export const templateProblems = {
  Budget: 'Evaluation takes more steps or produces more text than one template may.',
  Cycle: 'Resources wait for each other in a circle.',
  Dependency: 'A resource depends on, or refers to, a resource that is not there.',
  Evaluation: 'A function got values that it does not take, or a member does not exist.',
  Expression: 'The text between the brackets is no expression of the template language.',
  Json: 'The text is no JSON, or a name appears twice in an object.',
  Limit: 'The template is above a limit.',
  ManagedSecret:
    'The name of a ManagedSecret is wrong, or a function that needs Azure or the template got a value that the operator reads later.',
  Manifest: 'No object of the operator can declare the resource.',
  Parameter: 'A parameter is missing, unknown, or outside its constraints.',
  Secret: 'A secret, or a reference to one, stands where no object can take it from a Secret or a ManagedSecret.',
  Structure: 'A part of the template is missing, misplaced, or has the wrong type.',
  Unsupported: 'The template uses a construct or a function that is not supported.',
} as const;

/** The name of a problem. */
export type TemplateProblemName = keyof typeof templateProblems;

/** Characters of a name that is compared with others. */
const longestName = 60;

/** One problem of a template. Has no value of a secure parameter. */
export interface TemplateProblem {
  readonly name: TemplateProblemName;
  /** The code that Azure answers with for it: InvalidTemplate for nearly all. */
  readonly code: string;
  /** The place, such as `resources[2].properties.osProfile`; '' for the template itself. */
  readonly path: string;
  /** Counted from 1; 0 for problems that are not in the text of the template. */
  readonly line: number;
  /** Counted from 1, in UTF-16 code units; 0 for problems that are not in the text of the template. */
  readonly column: number;
  /** The problem, and how to fix it. */
  readonly message: string;
}

/** A place in the text of a template; line and column count from 1. */
export interface Position {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

/** The template itself. */
export const nowhere: Position = { path: '', line: 0, column: 0 };

/** Ends the evaluation of one value; becomes a problem at the value's position. */
export class TemplateError extends Error {
  readonly problem: TemplateProblemName;
  readonly code: string;
  /** The innermost part of the text that the error is about; undefined while nobody has found it. */
  position: Position | undefined;
  readonly #names: readonly [name: string, candidates: Iterable<string>] | undefined;

  constructor(
    problem: TemplateProblemName,
    message: string,
    { code = 'InvalidTemplate', near }: { readonly code?: string; readonly near?: [string, Iterable<string>] } = {},
  ) {
    super(message);
    this.problem = problem;
    this.code = code;
    this.#names = near;
  }

  /** `; did you mean 'x'?`, or '' where no name is near. */
  hint(): string {
    return this.#names ? didYouMean(...this.#names) : '';
  }
}

/** `; did you mean 'x'?` with the candidate that is nearest to a name; '' where none is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const short = [...candidates].filter((each) => each.length <= longestName);
  const near = name.length > longestName ? undefined : nearest(name, short, (each) => each);
  return near === undefined ? '' : `; did you mean ${quoted(near)}?`;
}

/** The first ids of a list, for a message. */
export function firstOf(ids: readonly string[]): string {
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : '';
  return `${ids.slice(0, 3).join(', ')}${more}`;
}

/** A part of a template that answers of Azure decide, such as the name of a resource or the count of its copies. */
export interface UndecidedPart extends Position {
  /** ARM id of the resource, with expressions in the place of names. */
  readonly id: string;
  /** `name of a resource` */
  readonly what: string;
  /** The expression that decides, as the template has it. */
  readonly expression: string;
  /** ARM ids of the resources whose answers decide. */
  readonly waitsFor: readonly string[];
}

/** Ends a part of a template that answers of Azure decide. */
export class DecidedLater extends TemplateError {
  readonly what: string;
  readonly expression: string;
  readonly waitsFor: readonly string[];

  constructor(what: string, { expression, waitsFor }: Pick<UndecidedPart, 'expression' | 'waitsFor'>) {
    super('Structure', `The ${what} is decided when ${firstOf(waitsFor)} answers: ${quoted(expression)}`);
    this.what = what;
    this.expression = expression;
    this.waitsFor = waitsFor;
  }
}

/** Ends a value that needs another one whose problem is already reported. */
export class AlreadyReported extends Error {}

/** Ends the whole expansion; `position` is where a limit was reached. */
export class TemplateStop extends Error {
  readonly position: Position | undefined;
  readonly problem: 'Budget' | 'Limit';

  constructor(message: string, position?: Position, problem: 'Budget' | 'Limit' = 'Budget') {
    super(message);
    this.position = position;
    this.problem = problem;
  }
}

/** The problems of one expansion, in the order of their discovery. */
export class Problems {
  readonly list: TemplateProblem[] = [];
  /** Parts that are no problem: they are left out until Azure's answers decide them. */
  readonly undecided: UndecidedPart[] = [];
  readonly #seen = new Set<string>();
  #failures = 0;

  /** Steps that failed so far, those whose problem was reported before or that wait for an answer included. */
  get failures(): number {
    return this.#failures;
  }

  /** Adds a problem, once for each place and message; those above the limit are left out. */
  add(
    name: TemplateProblemName,
    position: Position,
    message: string,
    { code = 'InvalidTemplate', hint = () => '' }: { readonly code?: string; readonly hint?: () => string } = {},
  ): void {
    this.#failures += 1;
    const key = `${position.line}:${position.column}:${position.path}:${message}`;
    if (this.list.length >= templateLimits.problems || this.#seen.has(key)) return;
    this.#seen.add(key);
    const { path, line, column } = position;
    this.list.push({ name, code, path, line, column, message: `${message}${hint()}` });
  }

  /** Adds the problem of `error`, which is about the resource with this ARM id; rethrows every error that is not about the template. */
  addError(error: unknown, position: Position, id = ''): void {
    this.#failures += 1;
    if (error instanceof AlreadyReported) return;
    if (!(error instanceof TemplateError)) throw error;
    const { path, line, column } = error.position ?? position;
    if (error instanceof DecidedLater) {
      if (this.undecided.length >= templateLimits.resources) {
        const more = `More than ${templateLimits.resources} parts of the template wait for answers of Azure: split it`;
        throw new TemplateStop(more, { path, line, column }, 'Limit');
      }
      const { what, expression, waitsFor } = error;
      this.undecided.push({ path, line, column, id, what, expression, waitsFor });
    } else {
      const { problem, message, code } = error;
      this.add(problem, { path, line, column }, message, { code, hint: () => error.hint() });
    }
  }
}

/** A text for a message: quoted, at most 120 characters, control characters escaped. */
export function quoted(text: string): string {
  const json = JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text);
  return `'${json.slice(1, -1)}'`;
}
