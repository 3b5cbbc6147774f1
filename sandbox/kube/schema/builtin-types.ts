import type { BuiltinType, OpenApiSchema, Subresource } from '../model/types.ts';
import { amend } from './builtin-amendments.ts';
import data from './generated/builtin-types.json' with { type: 'json' };
import { define, definitionOf, type SchemaNode } from './schema-node.ts';

interface GeneratedKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** Name in the definitions. */
  readonly definition: string;
  readonly plural: string;
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly Subresource[];
}

const generated = data as unknown as {
  readonly kinds: readonly GeneratedKind[];
  readonly definitions: Readonly<Record<string, SchemaNode>>;
};
for (const [name, node] of Object.entries(generated.definitions)) define(name, amend(name, node));

/**
 * The kinds the server brings along. Their schemas share definitions by `$ref: '#/definitions/<name>'`, which every
 * function of this folder follows; members the schemas do not name are kept (`preserveUnknown`).
 */
export const builtinTypes: readonly BuiltinType[] = generated.kinds.map(({ definition, ...kind }) => ({
  ...kind,
  schema: definitionOf(definition) as OpenApiSchema,
  preserveUnknown: true,
}));

const names = new Map(generated.kinds.map((kind) => [`${kind.group}/${kind.version}/${kind.kind}`, kind.definition]));

/** The definition name of a built-in kind: io.k8s.api.core.v1.Pod. */
export function builtinDefinitionName(group: string, version: string, kind: string): string | undefined {
  return names.get(`${group}/${version}/${kind}`);
}

/** `metadata` of every object. */
export const objectMeta: SchemaNode = { $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
