import { type ASTNode, type Environment, type ParseResult, serialize } from '@marcbachmann/cel-js';
import { messageOf } from '../../../../runtime/base/errors.ts';
import type { Cause } from '../../model/types.ts';
import { invalid, notSupported, required } from '../causes.ts';
import type { SchemaNode, ValidationRule } from '../schema-node.ts';
import { schemaAt } from '../validate.ts';

/** A rule of a schema with its programs. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: ParseResult;
  readonly message: ParseResult | undefined;
  /** Mentions `oldSelf`, so it needs an old value (or takes it as an optional). */
  readonly transition: boolean;
}

/**
 * Compiles a rule of `node`, whose values have the CEL type `type`. A rule that Kubernetes refuses gives the causes, at
 * `path`. `uncorrelated` is the list in whose items old values cannot be found.
 */
export function compileRule(
  env: Environment,
  type: string,
  node: SchemaNode,
  rule: ValidationRule,
  path: string,
  uncorrelated: string | undefined,
): CompiledRule | Cause {
  const { rule: source, message: plain, messageExpression, reason, fieldPath: relative } = rule;
  const shown = {
    Rule: source ?? '',
    Message: plain ?? '',
    MessageExpression: messageExpression ?? '',
    Reason: reason ?? null,
    FieldPath: relative ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
  const broken = (member: string, detail: string): Cause => {
    const message = `Invalid value: ${JSON.stringify(shown)}: ${detail}`;
    return { reason: 'FieldValueInvalid', message, field: `${path}.${member}` };
  };
  if (!source?.trim()) return required(`${path}.rule`, 'rule is not specified');
  if (plain?.includes('\n')) return invalid(`${path}.message`, plain, 'must not contain line breaks');
  if (reason !== undefined && !reasons.includes(reason)) return notSupported(`${path}.reason`, reason, reasons);
  if (relative !== undefined && !schemaAt(node, pathNames(relative))) {
    return invalid(`${path}.fieldPath`, relative, 'must be a valid path');
  }
  const scope = env.clone().registerVariable('self', type);
  scope.registerVariable('oldSelf', rule.optionalOldSelf ? `optional<${type}>` : type);
  const compile = (source: string, wanted: string): ParseResult | string => {
    try {
      const program = scope.parse(source);
      const checked = program.check();
      const error = checked.valid ? unknownField(program.ast, scope) : checked.error;
      if (error) return `compilation failed: ERROR: ${firstLine(error)}`;
      const subject = wanted === 'bool' ? 'cel expression' : 'messageExpression';
      return checked.type === wanted || checked.type === 'dyn' ? program : `${subject} must evaluate to a ${wanted}`;
    } catch (error) {
      return `compilation failed: ERROR: ${firstLine(error)}`;
    }
  };
  const program = compile(source, 'bool');
  if (typeof program === 'string') return broken('rule', program);
  const transition = mentions(program.ast, 'oldSelf');
  if (transition && uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
    return invalid(`${path}.rule`, source, detail);
  }
  if (rule.optionalOldSelf && !transition) {
    return invalid(`${path}.optionalOldSelf`, true, 'may not be set if oldSelf is not used in rule');
  }
  if (messageExpression === undefined) return { rule, program, transition, message: undefined };
  const message = compile(messageExpression, 'string');
  if (typeof message === 'string') return broken('messageExpression', message);
  return { rule, program, transition, message };
}

/** `.a['b.c']` = a, b.c */
export function pathNames(relative: string): string[] {
  return [...relative.matchAll(/\.([^.[\]]+)|\['([^']*)'\]/g)].map(([, dotted, quoted]) => dotted ?? quoted ?? '');
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired'];

/** The checker does not check the inside of has(); members of self and oldSelf that do not exist are found here. */
function unknownField(ast: ASTNode, scope: Environment): Error | undefined {
  let found: Error | undefined;
  const rooted = (node: ASTNode): boolean =>
    node.op === 'id' ? node.args === 'self' || node.args === 'oldSelf' : node.op === '.' && rooted(node.args[0]);
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) for (const item of part) visit(item);
    if (typeof part !== 'object' || part === null || !('op' in part) || !('args' in part)) return;
    const node = part as ASTNode;
    if (node.op === 'call' && node.args[0] === 'has') {
      const [argument] = node.args[1];
      if (argument && rooted(argument)) found ??= scope.check(serialize(argument)).error;
    }
    visit(node.args);
  };
  visit(ast);
  return found;
}

/** The first line of the error of a failed check or evaluation. */
export function firstLine(error: unknown): string {
  const summaryText = error instanceof Error && 'summary' in error ? String(error.summary) : messageOf(error);
  return summaryText.split('\n')[0] ?? '';
}

function mentions(ast: ASTNode, name: string): boolean {
  const visit = (part: unknown): boolean => {
    if (Array.isArray(part)) return part.some(visit);
    if (typeof part !== 'object' || part === null || !('op' in part) || !('args' in part)) return false;
    return (part.op === 'id' && part.args === name) || visit(part.args);
  };
  return visit(ast);
}
