import { isObject } from '../../../../runtime/base/json.ts';
import { set } from '../../../json.ts';
import type { Json, JsonObject, OpenApiDefinition } from '../../model/types.ts';
import type { SchemaNode } from '../schema-node.ts';
import { collectDefinitions, collectionPath, definitionName, patchTypes, writeParameters } from './openapi-names.ts';

/** The OpenAPI v2 document. Its paths have the parts that clients read: kinds, and the parameters of writes. */
export function openApiV2(definitions: readonly OpenApiDefinition[]): JsonObject {
  const paths: JsonObject = {};
  for (const definition of definitions) {
    const { group, version, kind } = definition;
    const gvk = { 'x-kubernetes-group-version-kind': { group, kind, version } };
    const schema = { $ref: `#/definitions/${definitionName(definition)}` };
    const ok = { responses: { '200': { description: 'OK', schema } } };
    const query = writeParameters.map(([name, type, description]) => ({ name, in: 'query', type, description }));
    const body = { name: 'body', in: 'body', required: true, schema: { type: 'object' } };
    paths[`${collectionPath(definition)}/{name}`] = {
      get: { ...ok, ...gvk, operationId: `read${kind}`, 'x-kubernetes-action': 'get' },
      patch: {
        consumes: patchTypes(definition),
        parameters: [body, ...query],
        ...ok,
        ...gvk,
        operationId: `patch${kind}`,
        'x-kubernetes-action': 'patch',
      },
    };
  }
  const schemas: JsonObject = {};
  for (const [name, node] of collectDefinitions(definitions)) schemas[name] = toV2(node);
  return { swagger: '2.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths, definitions: schemas };
}

const valueValidation = ['allOf', 'anyOf', 'oneOf', 'not', 'default', 'nullable', 'x-kubernetes-validations'];

/**
 * The part of a structural schema that v2 can express: no junctors, no defaults, and no type where values of several
 * types are allowed, because clients that validate with it would refuse them.
 */
export function toV2(node: SchemaNode): JsonObject {
  const untyped =
    node.nullable || node['x-kubernetes-int-or-string'] || (node['x-kubernetes-preserve-unknown-fields'] && !node.$ref);
  const out: JsonObject = {};
  for (const [member, value] of Object.entries(node)) {
    if (valueValidation.includes(member)) continue;
    if (untyped && ['type', 'properties', 'items', 'required', 'additionalProperties', 'enum'].includes(member))
      continue;
    if (member === 'properties') out[member] = properties(value as Record<string, SchemaNode>);
    else if ((member === 'items' || member === 'additionalProperties') && isObject(value))
      out[member] = toV2(value as SchemaNode);
    else out[member] = value as Json;
  }
  return out;
}

function properties(members: Readonly<Record<string, SchemaNode>>): JsonObject {
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(members)) set(out, name, toV2(member));
  return out;
}
