import { type ASTNode, Environment, Optional, type ParseResult, serialize } from '@marcbachmann/cel-js';
import { messageOf } from '../../../../runtime/base/errors.ts';
import { canonicalJson, isObject } from '../../../../runtime/base/json.ts';
import { get } from '../../../json.ts';
import type { Cause, Unstructured } from '../../types.ts';
import { at, child, duplicate, forbidden, invalid, notSupported, required } from '../causes.ts';
import { resolve, type SchemaNode, type ValidationRule } from '../schema-node.ts';
import { schemaAt, typeName } from '../validate.ts';
import { addKubernetesLibrary } from './cel-library.ts';
import { CelTypes, resourceNode } from './cel-types.ts';

interface CompiledRule {
  readonly rule: ValidationRule;
  readonly program: ParseResult;
  readonly message: ParseResult | undefined;
  /** Mentions `oldSelf`, so it needs an old value (or takes it as an optional). */
  readonly transition: boolean;
}

interface Level {
  readonly rules: readonly CompiledRule[];
  readonly node: SchemaNode;
}

/** The `x-kubernetes-validations` of a schema, compiled once. */
export class CelRules {
  /** What a CRD is refused for; fields lead from the schema's root to the rule's member. */
  readonly problems: Cause[] = [];
  readonly #levels = new Map<SchemaNode, Level>();
  readonly #containsRules = new Map<SchemaNode, boolean>();
  readonly #types: CelTypes;
  readonly #root: SchemaNode;

  /** `path` is where the schema lies, for the fields of problems. */
  constructor(root: SchemaNode, path = '') {
    const env = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
    addKubernetesLibrary(env);
    this.#types = new CelTypes(env);
    this.#root = resourceNode(resolve(root));
    if (!this.#hasRules(this.#root)) return;
    // All types first: a copied environment closes its parent for further ones.
    this.#types.typeOf(this.#root);
    this.#declare(this.#root);
    this.#compile(env, this.#root, path, undefined);
  }

  get empty(): boolean {
    return this.#levels.size === 0;
  }

  /** The causes of every rule that does not hold. */
  validate(object: Unstructured, old?: Unstructured): Cause[] {
    const causes: Cause[] = [];
    if (!this.empty) this.#check(object, old, this.#root, '', causes);
    return causes;
  }

  #hasRules(schema: SchemaNode): boolean {
    const node = resolve(schema);
    const known = this.#containsRules.get(node);
    if (known !== undefined) return known;
    this.#containsRules.set(node, false);
    const found =
      (node['x-kubernetes-validations']?.length ?? 0) > 0 || children(node).some(([, inner]) => this.#hasRules(inner));
    this.#containsRules.set(node, found);
    return found;
  }

  /** Types of places that their parents do not show, such as beneath an unsupported member. */
  #declare(schema: SchemaNode): void {
    const node = resolve(schema);
    if (!this.#hasRules(node)) return;
    this.#types.typeOf(node);
    for (const [, inner] of children(node)) this.#declare(inner);
  }

  #compile(env: Environment, schema: SchemaNode, path: string, uncorrelated: string | undefined): void {
    const node = resolve(schema);
    if (!this.#hasRules(node)) return;
    const type = this.#types.typeOf(node) ?? 'dyn';
    const rules = (node['x-kubernetes-validations'] ?? []).flatMap((rule, index) => {
      const compiled = this.#rule(env, type, node, rule, `${path}.x-kubernetes-validations[${index}]`, uncorrelated);
      return compiled ? [compiled] : [];
    });
    this.#levels.set(node, { rules, node });
    const listType = node['x-kubernetes-list-type'];
    for (const [step, inner] of children(node)) {
      const breaks = step === '.items' && listType !== 'map' ? path : undefined;
      this.#compile(env, inner, path + step, uncorrelated ?? breaks);
    }
  }

  #rule(
    env: Environment,
    type: string,
    node: SchemaNode,
    rule: ValidationRule,
    path: string,
    uncorrelated: string | undefined,
  ): CompiledRule | undefined {
    const refuse = (cause: Cause) => {
      this.problems.push(cause);
      return undefined;
    };
    const { rule: source, message: plain, messageExpression, reason, fieldPath: relative } = rule;
    const shown = {
      Rule: source ?? '',
      Message: plain ?? '',
      MessageExpression: messageExpression ?? '',
      Reason: reason ?? null,
      FieldPath: relative ?? '',
      OptionalOldSelf: rule.optionalOldSelf ?? null,
    };
    const broken = (member: string, detail: string) => {
      const message = `Invalid value: ${JSON.stringify(shown)}: ${detail}`;
      return refuse({ reason: 'FieldValueInvalid', message, field: `${path}.${member}` });
    };
    if (!source?.trim()) return refuse(required(`${path}.rule`, 'rule is not specified'));
    if (plain?.includes('\n')) return refuse(invalid(`${path}.message`, plain, 'must not contain line breaks'));
    if (reason !== undefined && !reasons.includes(reason))
      return refuse(notSupported(`${path}.reason`, reason, reasons));
    if (relative !== undefined && !schemaAt(node, pathNames(relative))) {
      return refuse(invalid(`${path}.fieldPath`, relative, 'must be a valid path'));
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
      return refuse(invalid(`${path}.rule`, source, detail));
    }
    if (rule.optionalOldSelf && !transition) {
      return refuse(invalid(`${path}.optionalOldSelf`, true, 'may not be set if oldSelf is not used in rule'));
    }
    if (messageExpression === undefined) return { rule, program, transition, message: undefined };
    const message = compile(messageExpression, 'string');
    if (typeof message === 'string') return broken('messageExpression', message);
    return { rule, program, transition, message };
  }

  #check(value: unknown, old: unknown, schema: SchemaNode, path: string, causes: Cause[]): void {
    const node = resolve(schema);
    if (value === undefined || value === null || !this.#hasRules(node)) return;
    const level = this.#levels.get(node);
    const hasOld = old !== undefined && old !== null;
    if (level && level.rules.length > 0) {
      const self = this.#types.toCel(value, node);
      const oldSelf = hasOld ? this.#types.toCel(old, node) : undefined;
      for (const compiled of level.rules) {
        const optional = compiled.rule.optionalOldSelf === true;
        if (compiled.transition && !hasOld && !optional) continue;
        const before = optional ? (hasOld ? Optional.of(oldSelf) : Optional.none()) : oldSelf;
        const cause = evaluate(compiled, { self, oldSelf: before }, value, path);
        if (cause) causes.push(cause);
      }
    }
    if (Array.isArray(value)) {
      const counterpart = correlate(node, Array.isArray(old) ? old : []);
      const { items } = node;
      if (items)
        for (const [index, item] of value.entries())
          this.#check(item, counterpart(item), items, at(path, index), causes);
    } else if (isObject(value)) {
      for (const name of Object.keys(value)) {
        const declared = node.properties && Object.hasOwn(node.properties, name) ? node.properties[name] : undefined;
        const inner =
          declared ?? (typeof node.additionalProperties === 'object' ? node.additionalProperties : undefined);
        if (inner)
          this.#check(
            get(value, name),
            isObject(old) ? get(old, name) : undefined,
            inner,
            declared ? child(path, name) : `${path}[${name}]`,
            causes,
          );
      }
    }
  }
}

/** Finds the old item of a list map by its keys; other lists have no counterparts. */
function correlate(node: SchemaNode, old: readonly unknown[]): (item: unknown) => unknown {
  if (node['x-kubernetes-list-type'] !== 'map') return () => undefined;
  const keys = node['x-kubernetes-list-map-keys'] ?? [];
  const identity = (item: unknown) =>
    canonicalJson(keys.map((key) => (isObject(item) ? (get(item, key) ?? null) : null)));
  const known = new Map(old.map((item) => [identity(item), item]));
  return (item) => known.get(identity(item));
}

function children(node: SchemaNode): [string, SchemaNode][] {
  const out: [string, SchemaNode][] = Object.entries(node.properties ?? {}).map(([name, member]) => [
    `.properties[${name}]`,
    member,
  ]);
  if (node.items) out.push(['.items', node.items]);
  if (typeof node.additionalProperties === 'object') out.push(['.additionalProperties', node.additionalProperties]);
  return out;
}

function evaluate(
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

/** `.a['b.c']` = a, b.c */
function pathNames(relative: string): string[] {
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

function firstLine(error: unknown): string {
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
