/** Finds the models of a kind's body in packages of Azure's SDK, by their members, and gives the kind's fields their texts. */
import type { ArmKindEntry } from '../../runtime/api/arm-kind.ts';
import type { StatusTree } from '../../runtime/api/schema/status-schema.ts';
import type { FieldTree } from '../../runtime/api/types.ts';
import type { ModelMember, Models } from './read-models.ts';

/** What packages say about a kind. */
export interface KindTexts {
  /** The models that describe it, the closest first. */
  readonly models: readonly string[];
  /** Texts by path, such as `spec.sku.name`; items of a list and values of a map have the path of their field. */
  readonly texts: ReadonlyMap<string, string>;
}

/** A field of a kind: of its spec, or of its status. */
export interface KindField {
  readonly path: string;
  readonly name: string;
  /** The name in Azure's bodies, dots between members; empty where the fields below it are in the parent's body. */
  readonly wire: string;
  readonly fields: readonly KindField[];
  /** Of a field of the spec. */
  readonly tree?: FieldTree;
}

/** A model must have this share of the fields, or a name this much like the kind's. */
const leastShare = 0.5;
const leastLikeness = 0.4;
/** The most models that a kind is described by: one to write, one to read, and one of another version of each. */
const mostModels = 4;
/** How much a model may be worse than the best one. */
const tolerance = 0.25;
/** What the name of a model counts for, where 1 is that it has each field. */
const weightOfName = 0.4;

/** Names of the other types beside the models of bodies: aliases of them, options of methods, headers of answers. */
const notOfBodies = /(Response|Headers|Params)$/;

/** The fields of a kind's spec that are in Azure's body, and those of its status. */
export function fieldsOf({ arm }: Pick<ArmKindEntry, 'arm'>): readonly KindField[] {
  return [...specFields(arm.fields, 'spec'), ...statusFields(arm.status ?? {}, 'status')];
}

/** These fields and all below them. */
export const withFieldsBelow = (fields: readonly KindField[]): KindField[] =>
  fields.flatMap((field) => [field, ...withFieldsBelow(field.fields)]);

function specFields(tree: FieldTree | undefined, parent: string): KindField[] {
  if (!tree) return [];
  const inner = tree.items ?? tree.values;
  if (inner) return specFields(inner, parent);
  return Object.entries(tree.properties ?? {}).map(([name, child]) => {
    const path = `${parent}.${name}`;
    return { path, name, wire: child.arm ?? name, fields: specFields(child, path), tree: child };
  });
}

function statusFields(tree: StatusTree, parent: string): KindField[] {
  if (typeof tree === 'string') return [];
  if (Array.isArray(tree)) return statusFields(tree[0] as StatusTree, parent);
  const { '*': values, ...members } = tree as Readonly<Record<string, StatusTree>>;
  if (values !== undefined) return statusFields(values, parent);
  return Object.entries(members).map(([name, child]) => {
    const path = `${parent}.${name}`;
    return { path, name, wire: name, fields: statusFields(child, path) };
  });
}

/** The texts of a kind's fields in the one of these packages whose models fit best. */
export function describeKind(
  entry: Pick<ArmKindEntry, 'kind' | 'armType' | 'arm'>,
  packages: readonly Models[],
): KindTexts {
  const fields = fieldsOf(entry);
  const readers = packages.map((models) => new Reader(models));
  const scored = readers
    .flatMap((reader) => reader.bodies(fields).map((name) => ({ reader, name, share: reader.share(name, fields) })))
    .map((each) => ({ ...each, likeness: likeness(each.name, entry) }))
    .filter(({ share, likeness }) => share >= leastShare || likeness >= leastLikeness)
    .map((each) => ({ ...each, score: each.share + weightOfName * each.likeness }))
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  const [best] = scored;
  const texts = new Map<string, string>();
  if (!best) return { models: [], texts };
  const chosen = scored.filter(({ reader, score }) => reader === best.reader && score >= best.score - tolerance);
  const models = chosen.slice(0, mostModels).map(({ name }) => name);
  best.reader.describe(fields, models, texts);
  return { models, texts };
}

/** Words in the names of models that say nothing about the kind. */
const commonWords: ReadonlySet<string> = new Set(['basic', 'contract', 'property', 'resource', 'v2']);

const words = (name: string) =>
  (name.match(/[A-Z]+(?![a-z])\d*|[A-Z]?[a-z0-9]+/g) ?? [])
    .map((word) => word.toLowerCase().replace(/(ie|e)?s$/, ''))
    .filter((word) => !commonWords.has(word));

/** How much of the name of a kind, or of its type in Azure, a model has in its own name, and how little else: 0 to 1. */
function likeness(model: string, { kind, armType }: Pick<ArmKindEntry, 'kind' | 'armType'>): number {
  const of = words(model);
  const compare = (name: string) => {
    if (model.toLowerCase() === name.toLowerCase()) return 1;
    const wanted = words(name);
    const common = wanted.filter((word) => of.includes(word)).length;
    return (2 * common) / (wanted.length + of.length);
  };
  return Math.max(compare(kind), compare(armType.split('/').at(-1) ?? ''));
}

/** Reads the members of models, with those of the models that they extend, are an alias of, or have as `properties`. */
class Reader {
  readonly #models: Models;
  readonly #expanded = new Map<string, readonly string[]>();

  constructor(models: Models) {
    this.#models = models;
  }

  /** The models that have a third of the fields at the top. */
  bodies(fields: readonly KindField[]): readonly string[] {
    return [...this.#models.keys()].filter((model) => !notOfBodies.test(model) && this.#mayBe(model, fields));
  }

  #mayBe(model: string, fields: readonly KindField[]): boolean {
    const present = fields.filter(({ wire }) => wire === '' || this.#find(wire, [model]).length > 0);
    return present.length > 0 && present.length * 3 >= fields.length;
  }

  /** The share of the fields, at all depths, that a model has. */
  share(model: string, fields: readonly KindField[]): number {
    const { has, all } = this.#count(fields, [model]);
    return has / all;
  }

  #count(fields: readonly KindField[], models: readonly string[]): { has: number; all: number } {
    let has = 0;
    let all = 0;
    for (const field of fields) {
      const found = this.#step(field, models);
      const below = this.#count(field.fields, found?.models ?? []);
      has += (found ? 1 : 0) + below.has;
      all += 1 + below.all;
    }
    return { has, all };
  }

  /** Adds the texts of fields to `texts`, as these models have them. */
  describe(fields: readonly KindField[], models: readonly string[], texts: Map<string, string>): void {
    for (const field of fields) {
      const found = this.#step(field, models);
      if (!found) continue;
      if (found.text) texts.set(field.path, found.text);
      this.describe(field.fields, found.models, texts);
    }
  }

  /** The text of a field of these models, and the models of its own members. */
  #step(field: KindField, models: readonly string[]): { text: string; models: readonly string[] } | undefined {
    const { wire } = field;
    if (wire === '') {
      const variant = this.#variant(field, models);
      return { text: (variant && this.#models.get(variant)?.text) ?? '', models: variant ? [variant] : models };
    }
    const members = this.#find(wire, models);
    if (members.length === 0) {
      if (wire === 'properties') return { text: '', models };
      const variant = this.#variant(field, models);
      return variant === undefined ? undefined : { text: this.#models.get(variant)?.text ?? '', models: [variant] };
    }
    const types = [...new Set(members.flatMap((member) => member.types))];
    const text = members.find((member) => member.text)?.text;
    return { text: text ?? types.map((type) => this.#models.get(type)?.text).find(Boolean) ?? '', models: types };
  }

  /** The members by the name in Azure's bodies. */
  #find(wire: string, models: readonly string[]): ModelMember[] {
    let current = models;
    let members: ModelMember[] = [];
    for (const name of wire.toLowerCase().split('.')) {
      const of = current.flatMap((model) => this.#expand(model));
      members = of.flatMap((model) => this.#models.get(model)?.members.get(name) ?? []);
      if (members.length > 0) current = members.flatMap(({ types }) => types);
      else if (name !== 'properties') return [];
    }
    return members;
  }

  /** The model of a member of a one-of: with its name, or the shortest that has it in its name. */
  #variant({ name, fields }: KindField, models: readonly string[]): string | undefined {
    const wanted = name.toLowerCase();
    const variants = models.flatMap((model) => this.#expand(model)).sort((a, b) => a.length - b.length);
    const like = (test: (variant: string) => boolean) => variants.find((variant) => test(variant.toLowerCase()));
    return (
      like((variant) => variant === wanted) ??
      like((variant) => variant.startsWith(wanted) || wanted.startsWith(variant)) ??
      (fields.length > 0 ? like((variant) => variant.includes(wanted)) : undefined)
    );
  }

  #expand(model: string): readonly string[] {
    const known = this.#expanded.get(model);
    if (known) return known;
    const seen = new Set<string>();
    const visit = (name: string, ofProperties: boolean): void => {
      const of = this.#models.get(name);
      if (!of || seen.has(name)) return;
      seen.add(name);
      for (const type of of.types) visit(type, ofProperties);
      if (ofProperties) for (const type of of.members.get('properties')?.types ?? []) visit(type, false);
    };
    visit(model, true);
    const expanded = [...seen];
    this.#expanded.set(model, expanded);
    return expanded;
  }
}
