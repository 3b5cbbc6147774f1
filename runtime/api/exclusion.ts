import { type CelRule, celName, type StructuralSchema, type ValueRules } from './schema/structural-schema.ts';

/** A rule about which members may stand together, in the two forms a CRD can carry it. */
export interface Exclusion {
  /** Its message explains the problem, but its estimated cost counts for every place where it may apply. */
  readonly cel: CelRule;
  /** Costs nothing and holds on API servers without CEL, but its message names only the object. */
  readonly structural: readonly ValueRules[];
}

const has = (member: string) => `has(self.${celName(member)})`;
const pairs = <T>(items: readonly T[]) =>
  items.flatMap((left, index) => items.slice(index + 1).map((right) => [left, right] as const));

/** One of the alternatives is set in full and no member of any other. */
export function exactlyOne(alternatives: readonly (readonly string[])[]): Exclusion {
  const terms = alternatives.map((members) => {
    const others = alternatives.filter((other) => other !== members).flat();
    return [...members.map(has), ...others.map((other) => `!${has(other)}`)].join(' && ');
  });
  const words = alternatives.map((members) =>
    members.length === 1 ? members[0] : `all of ${members.slice(0, -1).join(', ')} and ${members.at(-1)}`,
  );
  return {
    cel: { rule: terms.map((term) => `(${term})`).join(' || '), message: `set either ${words.join(', or ')}` },
    structural: [
      { oneOf: alternatives.map((required) => ({ required })) },
      ...pairs(alternatives).flatMap(([left, right]) =>
        left.flatMap((a) => right.map((b) => ({ not: { required: [a, b] } }))),
      ),
    ],
  };
}

/** Not more than one of the members is set. */
export function atMostOne(members: readonly string[]): Exclusion {
  return {
    cel: {
      rule: pairs(members)
        .map(([a, b]) => `!(${has(a)} && ${has(b)})`)
        .join(' && '),
      message: `set at most one of ${members.slice(0, -1).join(', ')} and ${members.at(-1)}`,
    },
    structural: pairs(members).map((required) => ({ not: { required } })),
  };
}

/** The schema with the exclusions added, as CEL or, where CEL would cost too much, as structural rules. */
export function withExclusions(
  schema: StructuralSchema,
  exclusions: readonly Exclusion[],
  as: keyof Exclusion = 'cel',
): StructuralSchema {
  if (exclusions.length === 0) return schema;
  const structural = exclusions.flatMap((exclusion) => exclusion.structural);
  const { 'x-kubernetes-validations': rules = [], withoutCel = [] } = schema;
  return as === 'cel'
    ? {
        ...schema,
        'x-kubernetes-validations': [...rules, ...exclusions.map(({ cel }) => cel)],
        withoutCel: [...withoutCel, ...structural],
      }
    : { ...schema, allOf: structural };
}
