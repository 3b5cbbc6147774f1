import { expect, test } from '@jest/globals';
import type { JsonObject, OpenApiDefinition, Unstructured } from '../../../../sandbox/kube/model/types.ts';
import {
  builtinTypes,
  openApiV2,
  openApiV2Protobuf,
  openApiV3,
  openApiV3Discovery,
} from '../../../../sandbox/kube/schema/index.ts';

const thing: OpenApiDefinition = {
  group: 'azimuth.test',
  version: 'v1',
  kind: 'Thing',
  plural: 'things',
  namespaced: true,
  subresources: [],
  schema: {
    type: 'object',
    description: 'A thing.',
    properties: {
      spec: {
        type: 'object',
        description: 'What is wanted.',
        required: ['size'],
        properties: {
          size: { type: 'integer', minimum: 1, maximum: 3, default: 2, description: 'How big.' },
          port: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
          note: { type: 'string', nullable: true, enum: ['a'] },
          default: { type: 'boolean', default: false },
          rows: {
            type: 'array',
            items: {
              type: 'object',
              'x-kubernetes-validations': [{ rule: 'true' }],
              properties: { n: { type: 'string' } },
            },
          },
        },
      },
    },
  },
};
const all = [...(builtinTypes as readonly OpenApiDefinition[]), thing];
const gvk = { group: 'azimuth.test', version: 'v1', kind: 'Thing' };

test('v2 keeps what clients can check with and drops what it cannot say', () => {
  const definitions = openApiV2(all)['definitions'] as Unstructured;
  const node = definitions['test.azimuth.v1.Thing'];
  expect(node).toMatchObject({ description: 'A thing.', 'x-kubernetes-group-version-kind': [gvk] });
  expect(Object.keys(node.properties)).toEqual(['spec', 'apiVersion', 'kind', 'metadata']);
  expect(node.properties.spec).toEqual({
    type: 'object',
    description: 'What is wanted.',
    required: ['size'],
    properties: {
      size: { type: 'integer', minimum: 1, maximum: 3, description: 'How big.' },
      port: { 'x-kubernetes-int-or-string': true },
      note: {},
      default: { type: 'boolean' },
      rows: { type: 'array', items: { type: 'object', properties: { n: { type: 'string' } } } },
    },
  });
});

test('v3 keeps defaults, rules and nullable, and points references at components', () => {
  const document = openApiV3(gvk, all) as Unstructured;
  const { schemas } = document['components'];
  expect(schemas['test.azimuth.v1.Thing'].properties.spec).toEqual((thing.schema as Unstructured)['properties'].spec);
  expect(schemas['test.azimuth.v1.Thing'].properties.metadata.allOf).toEqual([
    { $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' },
  ]);
  expect(Object.keys(schemas)).not.toContain('io.k8s.api.core.v1.Pod');
});

test('every reference of every document has its target', () => {
  const dangling = (document: JsonObject, prefix: string, schemas: object) =>
    [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)]
      .map(([, ref]) => ref ?? '')
      .filter((ref) => !ref.startsWith(prefix) || !Object.hasOwn(schemas, ref.slice(prefix.length)));
  const v2 = openApiV2(all);
  expect(dangling(v2, '#/definitions/', v2['definitions'] as object)).toEqual([]);
  for (const { group, version } of all) {
    const v3 = openApiV3({ group, version }, all);
    expect(dangling(v3, '#/components/schemas/', (v3['components'] as Unstructured)['schemas'])).toEqual([]);
  }
});

test('clients find the kind of a resource and that writes take dryRun and fieldValidation', () => {
  const path = '/apis/azimuth.test/v1/namespaces/{namespace}/things/{name}';
  for (const document of [openApiV2(all), openApiV3(gvk, all)] as Unstructured[]) {
    const { get, patch } = document['paths'][path];
    expect(get['x-kubernetes-group-version-kind']).toEqual(gvk);
    expect(patch['x-kubernetes-group-version-kind']).toEqual(gvk);
    expect(patch.parameters.map(({ name }: Unstructured) => name)).toEqual(
      expect.arrayContaining(['dryRun', 'fieldManager', 'fieldValidation', 'force']),
    );
  }
});

test('the hash of a group version changes with its own schemas only', () => {
  const url = (definitions: readonly OpenApiDefinition[], path: string) =>
    (openApiV3Discovery(definitions)['paths'] as Unstructured)[path].serverRelativeURL;
  const changed = [...all.slice(0, -1), { ...thing, schema: { type: 'object' } }];
  expect(url(all, 'apis/azimuth.test/v1')).toMatch(/^\/openapi\/v3\/apis\/azimuth\.test\/v1\?hash=[0-9A-F]{64}$/);
  expect(url(changed, 'apis/azimuth.test/v1')).not.toBe(url(all, 'apis/azimuth.test/v1'));
  expect(url(changed, 'api/v1')).toBe(url(all, 'api/v1'));
});

type Field = readonly [number, number | Buffer];

function fields(part: Buffer): Field[] {
  const out: Field[] = [];
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = part[at] ?? 0;
      at += 1;
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < part.length) {
    const tag = varint();
    if ((tag & 7) === 0) out.push([tag >> 3, varint()]);
    else if ((tag & 7) === 1) {
      out.push([tag >> 3, part.readDoubleLE(at)]);
      at += 8;
    } else {
      const length = varint();
      out.push([tag >> 3, part.subarray(at, at + length)]);
      at += length;
    }
  }
  return out;
}
const one = (part: Buffer, field: number) => fields(part).find(([number]) => number === field)?.[1];
const message = (part: Buffer, field: number) => one(part, field) as Buffer;
const entries = (part: Buffer, field = 1) =>
  Object.fromEntries(
    fields(part).flatMap(([number, value]) =>
      number === field ? [[String(one(value as Buffer, 1)), message(value as Buffer, 2)]] : [],
    ),
  );

test('the protobuf form holds the same definitions under the numbers of gnostic', () => {
  const document = Buffer.from(openApiV2Protobuf(all));
  expect(String(one(document, 1))).toBe('2.0');
  const definitions = entries(message(document, 9));
  expect(Object.keys(definitions)).toEqual(Object.keys(openApiV2(all)['definitions'] as object));
  const node = definitions['test.azimuth.v1.Thing'] as Buffer;
  expect(String(one(node, 4))).toBe('A thing.');
  const gvkExtension = entries(node, 31)['x-kubernetes-group-version-kind'] as Buffer;
  expect(JSON.parse(String(one(gvkExtension, 2)))).toEqual([gvk]);
  const spec = entries(message(node, 25))['spec'] as Buffer;
  expect(String(one(spec, 19))).toBe('size');
  const size = entries(message(spec, 25))['size'] as Buffer;
  expect([String(one(message(size, 22), 1)), one(size, 7), one(size, 9)]).toEqual(['integer', 3, 1]);
  const rows = entries(message(spec, 25))['rows'] as Buffer;
  expect(Object.keys(entries(message(message(message(rows, 23), 1), 25)))).toEqual(['n']);
  expect(Object.keys(entries(message(document, 8), 2))).toContain('/api/v1/namespaces/{namespace}/pods/{name}');
});
