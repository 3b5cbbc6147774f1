import { SecretValue } from '../../../../base/secret-value.ts';
import { type JsonNode, memberOf } from '../../json/json-node.ts';
import { quoted, TemplateError } from '../../problems.ts';
import {
  AzureAnswer,
  isFromSecrets,
  isSourceReference,
  isTemplateArray,
  isTemplateObject,
  SecretExpression,
  secretOf,
  type TemplateObject,
  type TemplateValue,
  templateObject,
  typeOf,
  Unknown,
} from '../../values/value.ts';
import { revealSecrets } from '../../values/value-info.ts';
import { isSymbolic } from '../sections.ts';
import { constraintProblems, hasBaseType, type TypeProblem } from './constraints.ts';
import { definitionOf } from './definitions.ts';
import { type Satisfies, validatorProblems } from './validators.ts';

/** Types of parameters and outputs. */
export const typeNames = ['string', 'securestring', 'int', 'bool', 'object', 'secureobject', 'array'] as const;
/** Members of a type in every template. */
const members = ['type', 'metadata', 'allowedvalues', 'minvalue', 'maxvalue', 'minlength', 'maxlength'];
/** Members of a type with languageVersion 2.0. */
const membersOf2 = [
  ...['$ref', 'nullable', 'properties', 'additionalproperties', 'sealed', 'discriminator', 'items', 'prefixitems'],
  'validate',
];
const mostReferences = 32;

/** Whether a parameter or output of this type has a secret. */
export const isSecureType = (type: string): boolean => /^secure(?:string|object)$/i.test(type);

/** What a type says, with the definitions that it refers to. */
interface Resolved {
  readonly type: string;
  readonly isNullable: boolean;
  /** The type and the definitions, the nearest first: each may have constraints. */
  readonly nodes: readonly JsonNode[];
}

/** The types of a template, with its definitions. Without `satisfies` the rules of `validate` are not checked. */
export function typesOf(node: JsonNode, satisfies?: Satisfies): Types {
  return new Types(memberOf(node, 'definitions'), isSymbolic(node), satisfies);
}

/** The types of one template. Values are checked at each level; secrets are in no message. */
export class Types {
  readonly #definitions: JsonNode | undefined;
  /** Whether the template has languageVersion 2.0. */
  readonly isExtended: boolean;
  readonly #satisfies: Satisfies | undefined;

  constructor(definitions: JsonNode | undefined, isExtended: boolean, satisfies: Satisfies | undefined) {
    this.#definitions = definitions;
    this.isExtended = isExtended;
    this.#satisfies = satisfies;
  }

  /** The name of the type in lower case. Throws TemplateError for none. */
  nameOf(node: JsonNode): string {
    return this.#resolve(node).type;
  }

  isNullable(node: JsonNode): boolean {
    return this.#resolve(node).isNullable;
  }

  /** Members that no type has, of `also` besides: their names. */
  unknownMembers(node: JsonNode, also: readonly string[]): readonly [string, JsonNode][] {
    const known = new Set([...members, ...also, ...(this.isExtended ? membersOf2 : [])]);
    return node.kind === 'object' ? [...node.members].filter(([name]) => !known.has(name.toLowerCase())) : [];
  }

  /** The value with its parts of secure types as secrets. */
  secured(value: TemplateValue, node: JsonNode): TemplateValue {
    const { type, nodes } = this.#resolve(node);
    // The text of an object is JSON in a Secret.
    if (isSourceReference(value) && !(value instanceof AzureAnswer) && type.endsWith('object'))
      return new SecretExpression('json', [value]);
    if (value instanceof Unknown || isFromSecrets(value) || value instanceof SecretValue) return value;
    if (isSecureType(type)) return value === null || value === '' ? value : secretOf(value);
    if (isTemplateArray(value)) return this.#securedItems(value, nodes);
    if (!isTemplateObject(value)) return value;
    const variant = this.#variant(value, nodes);
    if (typeof variant === 'object') return this.secured(value, variant);
    const parts = Object.entries(value).map(([name, part]): [string, TemplateValue] => {
      const of = propertyType(name, nodes);
      return [name, of ? this.secured(part, of) : part];
    });
    return parts.some(([name, part]) => part !== value[name]) ? templateObject(parts) : value;
  }

  #securedItems(items: readonly TemplateValue[], nodes: readonly JsonNode[]): readonly TemplateValue[] {
    const secured = items.map((item, index) => {
      const of = this.#itemType(index, nodes);
      return of ? this.secured(item, of) : item;
    });
    return secured.some((item, index) => item !== items[index]) ? secured : items;
  }

  /** What is wrong with a value, each with its path. Unknown values and references to secrets have every type. */
  problems(value: TemplateValue, node: JsonNode, path: string): TypeProblem[] {
    // A secret stays one for constraints and rules, so that no message shows it.
    return this.#problems(this.secured(value, node), node, path, false);
  }

  /** `isInside`: whether the value is a part of a secret, and so one itself. */
  #problems(value: TemplateValue, node: JsonNode, path: string, isInside: boolean): TypeProblem[] {
    const resolved = this.#resolve(node);
    const isSecret = isInside || value instanceof SecretValue || isSecureType(resolved.type);
    const open = value instanceof SecretValue ? (value.reveal() as TemplateValue) : value;
    if (open instanceof Unknown || open instanceof SecretExpression) return [];
    if (isFromSecrets(open)) {
      if (/^(?:secure)?(?:string|object)$/.test(resolved.type)) return [];
      return [{ path, text: `has a reference to a secret, and must have type ${resolved.type}` }];
    }
    if (open === null && resolved.isNullable) return [];
    if (!hasBaseType(open, resolved.type)) {
      return [{ path, text: `has type ${typeOf(open)}, and must have type ${resolved.type}` }];
    }
    // Which parts of the value are secrets is certain where each has its type.
    const parts = isTemplateArray(open)
      ? this.#arrayProblems(open, resolved.nodes, path, isSecret)
      : isTemplateObject(open)
        ? this.#objectProblems(open, resolved.nodes, path, isSecret)
        : [];
    if (parts.length > 0) return parts;
    const own = resolved.nodes.flatMap((each) => constraintProblems(open, each, path, isSecret));
    if (own.length > 0) return own;
    const shown = isSecret ? secretOf(open) : open;
    return resolved.nodes.flatMap((each) => validatorProblems(shown, each, path, this.#satisfies));
  }

  #arrayProblems(
    items: readonly TemplateValue[],
    nodes: readonly JsonNode[],
    path: string,
    isSecret: boolean,
  ): TypeProblem[] {
    const prefix = first(nodes, 'prefixItems');
    const least = prefix?.kind === 'array' ? prefix.items.length : 0;
    const required = prefix?.kind === 'array' ? prefix.items.findLastIndex((each) => !this.isNullable(each)) + 1 : 0;
    if (items.length < required)
      return [{ path, text: `has ${items.length} items, and needs ${required} (prefixItems)` }];
    const rest = first(nodes, 'items');
    if (rest?.kind === 'boolean' && !rest.value && items.length > least) {
      return [{ path, text: `has ${items.length} items, and may have ${least} (items: false)` }];
    }
    return items.flatMap((item, index) => {
      const of = this.#itemType(index, nodes);
      return of ? this.#problems(item, of, `${path}[${index}]`, isSecret) : [];
    });
  }

  #itemType(index: number, nodes: readonly JsonNode[]): JsonNode | undefined {
    const prefix = first(nodes, 'prefixItems');
    const own = prefix?.kind === 'array' ? prefix.items[index] : undefined;
    const rest = first(nodes, 'items');
    return own ?? (rest?.kind === 'object' ? rest : undefined);
  }

  #objectProblems(value: TemplateObject, nodes: readonly JsonNode[], path: string, isSecret: boolean): TypeProblem[] {
    const found: TypeProblem[] = [];
    const variant = this.#variant(value, nodes);
    if (typeof variant === 'string') return [{ path, text: variant }];
    if (variant) return this.#problems(value, variant, path, isSecret);
    const properties = first(nodes, 'properties');
    for (const [name, of] of properties?.kind === 'object' ? properties.members : []) {
      if (nameIn(value, name) === undefined && !this.isNullable(of))
        found.push({ path: `${path}.${name}`, text: 'is required, and missing' });
    }
    const sealed = first(nodes, 'additionalProperties') ?? first(nodes, 'sealed');
    const isSealed =
      sealed?.kind === 'boolean' && sealed.value === (first(nodes, 'additionalProperties') === undefined);
    for (const [name, part] of Object.entries(value)) {
      const of = propertyType(name, nodes);
      if (of) found.push(...this.#problems(part, of, `${path}.${name}`, isSecret));
      else if (isSealed)
        found.push({ path: `${path}.${name}`, text: 'is not a property of the type, which takes no others' });
    }
    return found;
  }

  /** As `variantOf`. Throws TemplateError for types that choose each other without an end. */
  #variant(value: TemplateObject, nodes: readonly JsonNode[]): JsonNode | string | undefined {
    const chosen = variantOf(value, nodes);
    let next = chosen;
    for (let count = 0; typeof next === 'object'; count++) {
      if (count === mostReferences) throw circle();
      next = variantOf(value, this.#resolve(next).nodes);
    }
    return chosen;
  }

  #resolve(node: JsonNode): Resolved {
    const nodes: JsonNode[] = [];
    let isNullable: boolean | undefined;
    let next: JsonNode | undefined = node;
    while (next && nodes.length < mostReferences) {
      nodes.push(next);
      const nullable = memberOf(next, 'nullable');
      // The nearest one counts: a type can take the null of its definition away.
      if (nullable?.kind === 'boolean') isNullable ??= nullable.value;
      const reference = this.isExtended ? memberOf(next, '$ref') : undefined;
      if (!reference) {
        const type = memberOf(next, 'type');
        const name = type?.kind === 'string' ? type.value.toLowerCase() : '';
        if (typeNames.some((each) => each === name)) return { type: name, isNullable: isNullable ?? false, nodes };
        throw new TemplateError('Structure', `A type is needed: ${typeNames.join(', ')}`, { near: [name, typeNames] });
      }
      next = definitionOf(this.#definitions, reference);
    }
    throw circle();
  }
}

const circle = () => new TemplateError('Cycle', 'The types refer to each other in a circle');

/** The type that the discriminator of an object chooses, or what is wrong with it. */
function variantOf(value: TemplateObject, nodes: readonly JsonNode[]): JsonNode | string | undefined {
  const discriminator = first(nodes, 'discriminator');
  const property = memberOf(discriminator, 'propertyName');
  const mapping = memberOf(discriminator, 'mapping');
  if (property?.kind !== 'string' || mapping?.kind !== 'object') return undefined;
  const name = nameIn(value, property.value);
  const tag = name === undefined ? undefined : revealSecrets(value[name] as TemplateValue);
  if (typeof tag === 'string' && mapping.members.has(tag)) return mapping.members.get(tag);
  const tags = [...mapping.members.keys()].slice(0, 20).map((each) => quoted(each));
  return `must have ${property.value} as one of ${tags.join(', ')}, which chooses its type`;
}

/** The type of a property: its own, or that of additional ones. */
function propertyType(name: string, nodes: readonly JsonNode[]): JsonNode | undefined {
  const more = first(nodes, 'additionalProperties');
  return memberOf(first(nodes, 'properties'), name) ?? (more?.kind === 'object' ? more : undefined);
}

/** The member of the nearest type that has it. */
function first(nodes: readonly JsonNode[], name: string): JsonNode | undefined {
  for (const node of nodes) {
    const found = memberOf(node, name);
    if (found) return found;
  }
  return undefined;
}

function nameIn(value: TemplateObject, name: string): string | undefined {
  if (Object.hasOwn(value, name)) return name;
  return Object.keys(value).find((each) => each.toLowerCase() === name.toLowerCase());
}
