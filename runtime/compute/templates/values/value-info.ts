import { SecretValue } from '../../../base/secret-value.ts';
import { templateLimits } from '../limits.ts';
import { TemplateError, TemplateStop } from '../problems.ts';
import {
  isFromSecrets,
  SecretExpression,
  secretOf,
  type TemplateObject,
  type TemplateValue,
  templateObject,
  Unknown,
} from './value.ts';

/** Summary of the content of a value at all levels. */
export interface ValueInfo {
  /** Characters as JSON, about; a part that appears twice counts twice. */
  readonly size: number;
  readonly depth: number;
  readonly secret: boolean;
  readonly unknown: boolean;
  /** Contains a reference to a secret. */
  readonly reference: boolean;
  /** Contains an integer of more than 53 bits. */
  readonly wide: boolean;
}

const known = new WeakMap<object, ValueInfo>();
const plain = { depth: 0, secret: false, unknown: false, reference: false, wide: false };

/**
 * The info of a value, computed once for each object. Throws TemplateError for a value that is too deep, and TemplateStop for
 * one that is longer than a template may be.
 */
export function infoOf(value: TemplateValue): ValueInfo {
  if (typeof value === 'string') return { ...plain, size: value.length + 2 };
  if (typeof value === 'bigint') return { ...plain, size: 20, wide: true };
  if (typeof value !== 'object' || value === null) return { ...plain, size: 8 };
  const before = known.get(value);
  if (before) return before;
  const info = compute(value);
  known.set(value, info);
  return info;
}

function compute(value: object): ValueInfo {
  if (value instanceof SecretValue) return { ...infoOf(value.reveal()), secret: true };
  if (value instanceof Unknown) {
    const { expression, isSecret: secret, isReference: reference } = value;
    return { ...plain, size: expression.length, unknown: true, secret, reference };
  }
  if (value instanceof SecretExpression) return ofExpression(value);
  if (isFromSecrets(value as TemplateValue)) return { ...plain, size: 256, reference: true };
  let [size, depth, secret, unknown, reference, wide] = [2, 0, false, false, false, false];
  const add = (member: TemplateValue) => {
    const info = infoOf(member);
    size += info.size + 1;
    depth = Math.max(depth, info.depth);
    secret ||= info.secret;
    unknown ||= info.unknown;
    reference ||= info.reference;
    wide ||= info.wide;
  };
  if (Array.isArray(value)) for (const item of value) add(item);
  else {
    for (const [name, member] of Object.entries(value as TemplateObject)) {
      size += name.length + 3;
      add(member);
    }
  }
  if (depth >= templateLimits.valueDepth) {
    throw new TemplateError('Limit', `The value has more than ${templateLimits.valueDepth} levels: flatten it`);
  }
  if (size > templateLimits.templateCharacters) {
    throw new TemplateStop(`A value is longer than ${templateLimits.templateCharacters} characters: make it shorter`);
  }
  return { size, depth: depth + 1, secret, unknown, reference, wide };
}

/** An expression is as long as its parts, wherever it shares them. Throws TemplateError for one that no text can have. */
function ofExpression({ args, function: name = '' }: SecretExpression): ValueInfo {
  const infos = args.map(infoOf);
  const size = infos.reduce((sum, info) => sum + info.size, name.length + 4);
  const depth = Math.max(0, ...infos.map((info) => info.depth)) + 1;
  const { expressionCharacters, expressionDepth } = templateLimits;
  if (size > expressionCharacters || depth >= expressionDepth)
    throw new TemplateError('Limit', 'The expression over a value of a Secret is too long or too deep: shorten it');
  return { ...plain, size, depth, reference: true, secret: infos.some((info) => info.secret) };
}

/** The value with this done to each part that is of a class; parts without any stay the same object. */
export function mapSpecial(value: TemplateValue, map: (part: TemplateValue) => TemplateValue): TemplateValue {
  if (typeof value !== 'object' || value === null) return value;
  const { secret, unknown, reference } = infoOf(value);
  if (!secret && !unknown && !reference) return value;
  if (value instanceof SecretValue || value instanceof Unknown || isFromSecrets(value)) return map(value);
  if (Array.isArray(value)) return (value as readonly TemplateValue[]).map((item) => mapSpecial(item, map));
  return templateObject(Object.entries(value).map(([name, member]) => [name, mapSpecial(member, map)]));
}

/** The value with its secrets as they are: for the body of a request alone. */
export function revealSecrets(value: TemplateValue): TemplateValue {
  return mapSpecial(value, (part) => (part instanceof SecretValue ? revealSecrets(part.reveal()) : part));
}

/** ARM ids of the resources that a value waits for, in order. */
export function waitsFor(value: TemplateValue): readonly string[] {
  const found = new Set<string>();
  const visited = new Set<TemplateValue>();
  const visit = (part: TemplateValue): void => {
    if (typeof part !== 'object' || part === null || visited.has(part) || !infoOf(part).unknown) return;
    visited.add(part);
    if (part instanceof Unknown) for (const id of part.waitsFor) found.add(id);
    else if (part instanceof SecretValue) visit(part.reveal());
    else for (const member of Object.values(part)) visit(member as TemplateValue);
  };
  visit(value);
  return [...found].sort();
}

/** The value with its unknown parts evaluated again by a run; parts whose answers are missing stay unknown. */
export function resumeUnknowns(value: TemplateValue, run: unknown): TemplateValue {
  return mapSpecial(value, (part) => {
    if (part instanceof Unknown) return part.resume(run);
    return part instanceof SecretValue ? secretOf(resumeUnknowns(part.reveal(), run)) : part;
  });
}

/** The value itself. Throws TemplateError if it has an integer of more than 53 bits, which JSON does not keep everywhere. */
export function withoutWideIntegers(value: TemplateValue): TemplateValue {
  if (!infoOf(value).wide) return value;
  const message = 'The value has an integer of more than 53 bits, which programs that read JSON round: use string()';
  throw new TemplateError('Evaluation', message);
}
