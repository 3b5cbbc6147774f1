import { createHash } from 'node:crypto';
import { isObject } from '../../../../runtime/base/json.ts';
import { set } from '../../../json.ts';
import type { Json, JsonObject, OpenApiDefinition } from '../../model/types.ts';
import { refName, type SchemaNode } from '../schema-node.ts';
import { collectDefinitions, collectionPath, definitionName, patchTypes, writeParameters } from './openapi-names.ts';

interface GroupVersion {
  readonly group: string;
  readonly version: string;
}

/** The OpenAPI v3 document of one group version; `definitions` may hold kinds of others too, they are left out. */
export function openApiV3(groupVersion: GroupVersion, definitions: readonly OpenApiDefinition[]): JsonObject {
  const own = definitions.filter(
    ({ group, version }) => group === groupVersion.group && version === groupVersion.version,
  );
  const paths: JsonObject = {};
  for (const definition of own) {
    const { group, version, kind, namespaced } = definition;
    const gvk = { 'x-kubernetes-group-version-kind': { group, kind, version } };
    const schema = { $ref: `#/components/schemas/${definitionName(definition)}` };
    const ok = { responses: { '200': { description: 'OK', content: { 'application/json': { schema } } } } };
    const place = ['name', ...(namespaced ? ['namespace'] : [])];
    const query = writeParameters.map(([name, type, description]) => ({
      name,
      in: 'query',
      description,
      schema: { type },
    }));
    const content = Object.fromEntries(patchTypes(definition).map((type) => [type, { schema: { type: 'object' } }]));
    paths[`${collectionPath(definition)}/{name}`] = {
      parameters: place.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      get: { ...ok, ...gvk, operationId: `read${kind}`, 'x-kubernetes-action': 'get' },
      patch: {
        parameters: query,
        requestBody: { required: true, content },
        ...ok,
        ...gvk,
        operationId: `patch${kind}`,
        'x-kubernetes-action': 'patch',
      },
    };
  }
  const schemas: JsonObject = {};
  for (const [name, node] of collectDefinitions(own)) schemas[name] = toV3(node);
  return { openapi: '3.0.0', info: { title: 'Kubernetes', version: 'unversioned' }, paths, components: { schemas } };
}

const inner = new Set(['items', 'additionalProperties', 'not']);
const lists = new Set(['allOf', 'anyOf', 'oneOf']);

/** References point at components, and stand alone: a reference with siblings becomes an allOf. */
function toV3({ $ref, ...beside }: SchemaNode): JsonObject {
  const out: JsonObject = {};
  for (const [member, value] of Object.entries(beside)) {
    if (member === 'properties') out[member] = properties(value as Record<string, SchemaNode>);
    else if (inner.has(member) && isObject(value)) out[member] = toV3(value as SchemaNode);
    else if (lists.has(member)) out[member] = (value as SchemaNode[]).map(toV3);
    else out[member] = value as Json;
  }
  const name = $ref === undefined ? undefined : refName({ $ref });
  if (name === undefined) return out;
  const reference = { $ref: `#/components/schemas/${name}` };
  return Object.keys(out).length === 0 ? reference : { ...out, allOf: [reference] };
}

function properties(members: Readonly<Record<string, SchemaNode>>): JsonObject {
  const out: JsonObject = {};
  for (const [name, member] of Object.entries(members)) set(out, name, toV3(member));
  return out;
}

/** The answer of `/openapi/v3`: where the document of each group version lies, with a hash that changes with it. */
export function openApiV3Discovery(definitions: readonly OpenApiDefinition[]): JsonObject {
  const paths: JsonObject = {};
  const seen = new Map(definitions.map(({ group, version }) => [`${group}/${version}`, { group, version }]));
  for (const groupVersion of seen.values()) {
    const path =
      groupVersion.group === '' ? `api/${groupVersion.version}` : `apis/${groupVersion.group}/${groupVersion.version}`;
    const hash = createHash('sha256')
      .update(JSON.stringify(openApiV3(groupVersion, definitions)))
      .digest('hex');
    paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash.toUpperCase()}` };
  }
  return { paths };
}
