import type { Place, Run, Scope } from '../evaluation/scope.ts';
import type { Expression } from '../expressions/syntax.ts';
import { TemplateError } from '../problems.ts';
import {
  isTemplateArray,
  isTemplateObject,
  SecretExpression,
  type TemplateObject,
  type TemplateValue,
  typeOf,
  Unknown,
} from '../values/value.ts';
import { infoOf, waitsFor } from '../values/value-info.ts';

/** The surroundings of a call. */
export interface Call {
  /** As the template writes it. */
  readonly name: string;
  /** The text of the call. */
  readonly text: string;
  readonly scope: Scope;
  readonly run: Run;
  /** Evaluates the call again, for values that are known after apply. */
  readonly again: (run: unknown) => TemplateValue;
  /** Evaluates a part of the call, for functions with lambdas. */
  readonly evaluateIn: (expression: Expression, scope: Scope) => TemplateValue;
}

interface Common {
  /** Least and largest number of arguments; without the second there is no largest one. */
  readonly arity: readonly [least: number, most?: number];
  /** One sentence for docs/reference/templates.md. */
  readonly doc: string;
  /** How far the function goes. @default 'whole' */
  readonly state?: string;
  /** Where the function may stand. @default everywhere */
  readonly places?: readonly Place[];
}

/**
 * A function of the template language. The evaluator gives `evaluate` plain values alone: a call with an unknown argument is
 * unknown, one with a secret argument gives a secret. The other functions get every value as it is.
 */
export type TemplateFunction = Common &
  (
    | { readonly kind?: 'plain'; readonly evaluate: (args: readonly TemplateValue[], call: Call) => TemplateValue }
    /** Puts arguments into its result without reading them. */
    | { readonly kind: 'passes'; readonly evaluate: (args: readonly TemplateValue[], call: Call) => TemplateValue }
    /** Evaluates the arguments that it needs. */
    | {
        readonly kind: 'lazy';
        readonly evaluate: (args: readonly (() => TemplateValue)[], call: Call) => TemplateValue;
      }
    /** Evaluates its arguments itself, each as often as it wants. */
    | { readonly kind: 'syntax'; readonly evaluate: (args: readonly Expression[], call: Call) => TemplateValue }
  );

/** Functions by name, in the spelling of the documentation. */
export type FunctionTable = Readonly<Record<string, TemplateFunction>>;

/** The error of an argument that has another type. */
export function wrong(call: Call, index: number, wanted: string, value: TemplateValue | undefined): TemplateError {
  const found = value === undefined ? 'nothing' : `a value of type ${typeOf(value)}`;
  const message = `The function '${call.name}' takes ${wanted} as argument ${index + 1}, and got ${found}`;
  return new TemplateError('Evaluation', message);
}

/** The value of a call over values of Secrets, which the operator computes; Azure's answers may be needed before. */
export function deferred(values: readonly TemplateValue[], call: Call): SecretExpression | Unknown {
  if (!values.some((value) => infoOf(value).unknown)) return new SecretExpression(call.name, values);
  const kind = { isSecret: true, isReference: true };
  return new Unknown(call.text, values.flatMap(waitsFor), call.again, kind);
}

/** The argument as a string. Throws TemplateError for another type. */
export function stringAt(args: readonly TemplateValue[], index: number, call: Call): string {
  const value = args[index];
  if (typeof value !== 'string') throw wrong(call, index, 'a string', value);
  return value;
}

/** The argument as an integer. Throws TemplateError for another type. */
export function intAt(args: readonly TemplateValue[], index: number, call: Call): number {
  const value = args[index];
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw wrong(call, index, 'an int', value);
  return value;
}

/** The argument as an integer of 64 bits. Throws TemplateError for another type. */
export function integerAt(args: readonly TemplateValue[], index: number, call: Call): bigint {
  const value = args[index];
  return typeof value === 'bigint' ? value : BigInt(intAt(args, index, call));
}

/** The name that an object has for this one, ignoring case. */
export function nameIn(object: TemplateObject, name: string): string | undefined {
  if (Object.hasOwn(object, name)) return name;
  const lower = name.toLowerCase();
  return Object.keys(object).find((key) => key.toLowerCase() === lower);
}

/** The argument as a boolean. Throws TemplateError for another type. */
export function boolAt(args: readonly TemplateValue[], index: number, call: Call): boolean {
  const value = args[index];
  if (typeof value !== 'boolean') throw wrong(call, index, 'a bool', value);
  return value;
}

/** The argument as an array. Throws TemplateError for another type. */
export function arrayAt(args: readonly TemplateValue[], index: number, call: Call): readonly TemplateValue[] {
  const value = args[index];
  if (!isTemplateArray(value)) throw wrong(call, index, 'an array', value);
  return value;
}

/** The argument as an object. Throws TemplateError for another type. */
export function objectAt(args: readonly TemplateValue[], index: number, call: Call): TemplateObject {
  const value = args[index];
  if (!isTemplateObject(value)) throw wrong(call, index, 'an object', value);
  return value;
}

/** Throws TemplateError: the argument has none of the types wanted. */
export function refuseAt(args: readonly TemplateValue[], index: number, call: Call, wanted: string): never {
  throw wrong(call, index, wanted, args[index]);
}

/** Throws TemplateError for an impossible call of the function. */
export function fail(call: Call, message: string): never {
  throw new TemplateError('Evaluation', `The function '${call.name}' fails: ${message}`);
}
