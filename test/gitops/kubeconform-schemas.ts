import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { succeed, temporaryFolder } from './support.ts';

interface Schema {
  readonly [member: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

/** What this reads of a CustomResourceDefinition. */
export interface Definition {
  readonly spec: {
    readonly group: string;
    readonly names: { readonly kind: string };
    readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: object } }[];
  };
}

/**
 * A folder with the schema of each kind that the API server of KUBECONFIG publishes, and of each kind of `own`, as
 * kubeconform reads them; unknown members are errors.
 */
export async function kubeconformSchemas(own: readonly Definition[] = []): Promise<string> {
  const folder = temporaryFolder();
  const { definitions } = JSON.parse(await succeed('kubectl', ['get', '--raw', '/openapi/v2'])) as {
    readonly definitions: Readonly<Record<string, Schema>>;
  };
  const strict = Object.fromEntries(Object.entries(definitions).map(([name, schema]) => [name, strictSchema(schema)]));
  writeFileSync(join(folder, 'all.json'), JSON.stringify({ definitions: strict }));
  const write = (parts: readonly string[], schema: unknown) =>
    writeFileSync(join(folder, `${parts.join('-').toLowerCase()}.json`), JSON.stringify(schema));
  for (const [name, schema] of Object.entries(definitions)) {
    for (const { group, version, kind } of schema['x-kubernetes-group-version-kind'] ?? []) {
      write([group || version, version, kind], { $ref: `all.json#/definitions/${name}` });
    }
  }
  const objectMeta = { $ref: 'all.json#/definitions/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' };
  const every = { apiVersion: { type: 'string' }, kind: { type: 'string' }, metadata: objectMeta };
  for (const { spec } of own) {
    for (const { name, schema } of spec.versions) {
      const { properties } = schema.openAPIV3Schema as Schema;
      write(
        [spec.group, name, spec.names.kind],
        strictSchema({ type: 'object', properties: { ...properties, ...every } }),
      );
    }
  }
  return folder;
}

/** The pattern of `-schema-location` for such a folder; the core group has the name of its version. */
export const schemaLocation = (folder: string): string =>
  `${folder}/{{.Group}}-{{.ResourceAPIVersion}}-{{.ResourceKind}}.json`;

function strictSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strictSchema);
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  // OpenAPI 2 has no union of types, and names this one by its format.
  if (schema['format'] === 'int-or-string') return { type: ['string', 'integer'] };
  const copy = Object.fromEntries(Object.entries(schema).map(([key, child]) => [key, strictSchema(child)]));
  const isClosed = schema.properties !== undefined && typeof schema.properties['type'] !== 'string';
  return isClosed && schema['additionalProperties'] === undefined ? { ...copy, additionalProperties: false } : copy;
}
