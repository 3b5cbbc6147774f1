import type { ParseResult } from '@marcbachmann/cel-js';
import type { Cause } from '../../model/types.ts';
import { duplicate, forbidden, invalid, required } from '../causes.ts';
import { typeName } from '../validate.ts';
import { type CompiledRule, firstLine, pathNames } from './compile-rule.ts';

/** The cause of a rule that does not hold for `value` at `path`, with `self` and `oldSelf` in the context; or undefined. */
export function evaluate(
  { rule, program, message }: CompiledRule,
  context: object,
  value: unknown,
  path: string,
): Cause | undefined {
  try {
    if (program(context as Record<string, unknown>) === true) return undefined;
  } catch (error) {
    return invalid(path, summary(value), `${firstLine(error)} evaluating rule: ${rule.message ?? rule.rule}`);
  }
  const detail = ownMessage(message, context) ?? rule.message ?? `failed rule: ${rule.rule.trim()}`;
  const field = path + fieldPath(rule.fieldPath, path === '');
  switch (rule.reason) {
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueDuplicate':
      return duplicate(field, summary(value));
    default:
      // Composites are not shown: they may be large.
      return typeof value === 'object'
        ? { reason: 'FieldValueInvalid', message: `Invalid value: ${detail}`, field }
        : invalid(field, value, detail);
  }
}

function summary(value: unknown): unknown {
  return typeof value === 'object' ? typeName(value) : value;
}

/** The text of a messageExpression; one that fails, is empty or has line breaks is passed over. */
function ownMessage(message: ParseResult | undefined, context: object): string | undefined {
  if (!message) return undefined;
  try {
    const text: unknown = message(context as Record<string, unknown>);
    return typeof text === 'string' && text.trim() !== '' && !text.includes('\n') ? text.trim() : undefined;
  } catch {
    return undefined;
  }
}

function fieldPath(relative: string | undefined, atRoot: boolean): string {
  if (relative === undefined) return '';
  const names = pathNames(relative).join('.');
  return atRoot ? names : `.${names}`;
}
