import { isObject } from '../../../../runtime/base/json.ts';
import type { OpenApiDefinition } from '../../model/types.ts';
import { builtinDefinitionName, builtinTypes } from '../builtin-types.ts';
import { asNode, definitionOf, refName, type SchemaNode } from '../schema-node.ts';

/** Definitions by name, as both OpenAPI versions list them. */
export type Definitions = Map<string, SchemaNode>;

const builtinSchemas = new Set(builtinTypes.map((type) => type.schema));

/** `io.k8s.api.apps.v1.Deployment`, or for a CRD its reversed group: `dev.azimuth.v1alpha1.ArmResource`. */
export function definitionName({ group, version, kind, schema }: OpenApiDefinition): string {
  const builtin = builtinSchemas.has(schema) ? builtinDefinitionName(group, version, kind) : undefined;
  return builtin ?? [...group.split('.').reverse(), version, kind].join('.');
}

const typeMeta: Record<string, SchemaNode> = {
  apiVersion: { type: 'string', description: 'Group and version of the schema this object is written in.' },
  kind: { type: 'string', description: 'Name of the kind of this object.' },
  metadata: {
    $ref: '#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta',
    description: 'Name, namespace, labels and other data every object has.',
  },
};

/** The schema of a served kind as it is published: with type, metadata and group-version-kind. */
function published(definition: OpenApiDefinition): SchemaNode {
  const node = asNode(definition.schema);
  if (builtinSchemas.has(definition.schema)) return node;
  const { group, version, kind } = definition;
  const gvk = { 'x-kubernetes-group-version-kind': [{ group, kind, version }] };
  return { ...node, type: 'object', properties: { ...node.properties, ...typeMeta }, ...gvk };
}

/** The published schemas of the given kinds and of everything they refer to. */
export function collectDefinitions(definitions: readonly OpenApiDefinition[]): Definitions {
  const out: Definitions = new Map();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) for (const item of value) visit(item);
    if (!isObject(value)) return;
    const name = typeof value['$ref'] === 'string' ? refName(value as SchemaNode) : undefined;
    const target = name === undefined || out.has(name) ? undefined : definitionOf(name);
    if (name !== undefined && target) {
      out.set(name, target);
      visit(target);
    }
    for (const inner of Object.values(value)) visit(inner);
  };
  for (const definition of definitions) {
    const name = definitionName(definition);
    const node = published(definition);
    out.set(name, node);
    visit(node);
  }
  return new Map([...out].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `/apis/apps/v1/namespaces/{namespace}/deployments`. */
export function collectionPath({ group, version, plural, namespaced }: OpenApiDefinition): string {
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  return `${root}/${namespaced ? 'namespaces/{namespace}/' : ''}${plural}`;
}

/** Query parameters of writes whose presence clients check before they use them. */
export const writeParameters: readonly (readonly [name: string, type: string, description: string])[] = [
  ['dryRun', 'string', 'All: the request is processed and answered but nothing is stored.'],
  ['fieldManager', 'string', 'Name of the writer in the managed fields.'],
  ['fieldValidation', 'string', 'Ignore, Warn or Strict: what becomes of unknown and doubled fields.'],
  ['force', 'boolean', 'Server-side apply takes over fields that others own.'],
];

/** The patches a kind takes. kubectl reads here that custom resources have no strategic merge patch. */
export const patchTypes = ({ schema }: OpenApiDefinition): string[] => [
  'application/json-patch+json',
  'application/merge-patch+json',
  ...(builtinSchemas.has(schema) ? ['application/strategic-merge-patch+json'] : []),
  'application/apply-patch+yaml',
];
