import { isObject } from '../../../../runtime/base/json.ts';
import type { Json, JsonObject, OpenApiDefinition } from '../../model/types.ts';
import type { SchemaNode } from '../schema-node.ts';
import { openApiV2 } from './openapi-v2.ts';
import { ProtobufWriter } from './protobuf-writer.ts';

/**
 * The v2 document as `application/com.github.proto-openapi.spec.v2@v1.0+protobuf`, the only form that kubectl up to
 * 1.26 asks for. Field numbers: OpenAPIv2.proto of google/gnostic; values of any type travel as YAML text.
 */
export function openApiV2Protobuf(definitions: readonly OpenApiDefinition[]): Uint8Array {
  const document = openApiV2(definitions);
  const info = document['info'] as { title: string; version: string };
  const paths = new ProtobufWriter();
  for (const [name, item] of Object.entries(document['paths'] as JsonObject)) {
    paths.message(2, named(name, pathItem(item as JsonObject)));
  }
  return new ProtobufWriter()
    .text(1, '2.0')
    .message(2, new ProtobufWriter().text(1, info.title).text(2, info.version))
    .message(8, paths)
    .message(9, schemas(document['definitions'] as Record<string, SchemaNode>))
    .finish();
}

function named(name: string, value: ProtobufWriter): ProtobufWriter {
  return new ProtobufWriter().text(1, name).message(2, value);
}

function any(value: Json): ProtobufWriter {
  return new ProtobufWriter().text(2, `${JSON.stringify(value)}\n`);
}

/** Vendor extensions are the members whose names start with `x-`. */
function extensions(writer: ProtobufWriter, field: number, source: object): ProtobufWriter {
  for (const [name, value] of Object.entries(source)) {
    if (name.startsWith('x-')) writer.message(field, named(name, any(value as Json)));
  }
  return writer;
}

function schemas(members: Readonly<Record<string, SchemaNode>>): ProtobufWriter {
  const writer = new ProtobufWriter();
  for (const [name, node] of Object.entries(members)) writer.message(1, named(name, schema(node)));
  return writer;
}

function schema(node: SchemaNode): ProtobufWriter {
  const { additionalProperties } = node;
  const writer = new ProtobufWriter()
    .text(1, node.$ref)
    .text(2, node.format)
    .text(3, node.title)
    .text(4, node.description)
    .double(6, node.multipleOf)
    .double(7, node.maximum)
    .flag(8, node.exclusiveMaximum)
    .double(9, node.minimum)
    .flag(10, node.exclusiveMinimum)
    .integer(11, node.maxLength)
    .integer(12, node.minLength)
    .text(13, node.pattern)
    .integer(14, node.maxItems)
    .integer(15, node.minItems)
    .integer(17, node.maxProperties)
    .integer(18, node.minProperties)
    .texts(19, node.required);
  for (const value of node.enum ?? []) writer.message(20, any(value));
  if (typeof additionalProperties === 'object') {
    writer.message(21, new ProtobufWriter().message(1, schema(additionalProperties)));
  } else if (additionalProperties === true) writer.message(21, new ProtobufWriter().flag(2, true));
  if (node.type !== undefined) writer.message(22, new ProtobufWriter().text(1, node.type));
  if (node.items) writer.message(23, new ProtobufWriter().message(1, schema(node.items)));
  if (node.properties) writer.message(25, schemas(node.properties));
  return extensions(writer, 31, node);
}

function pathItem(item: JsonObject): ProtobufWriter {
  const writer = new ProtobufWriter();
  if (isObject(item['get'])) writer.message(2, operation(item['get']));
  if (isObject(item['patch'])) writer.message(8, operation(item['patch']));
  return writer;
}

function operation(source: JsonObject): ProtobufWriter {
  const writer = new ProtobufWriter()
    .text(5, source['operationId'] as string)
    .texts(7, source['consumes'] as string[] | undefined);
  for (const parameter of (source['parameters'] as JsonObject[] | undefined) ?? []) {
    writer.message(8, new ProtobufWriter().message(1, parameterOf(parameter)));
  }
  const responses = new ProtobufWriter();
  for (const [code, value] of Object.entries(source['responses'] as Record<string, JsonObject>)) {
    const response = new ProtobufWriter()
      .text(1, value['description'] as string)
      .message(2, new ProtobufWriter().message(1, schema(value['schema'] as SchemaNode)));
    responses.message(1, named(code, new ProtobufWriter().message(1, response)));
  }
  return extensions(writer.message(9, responses), 13, source);
}

function parameterOf(parameter: JsonObject): ProtobufWriter {
  const { name, description, required, type } = parameter as {
    name: string;
    description?: string;
    required?: boolean;
    type?: string;
  };
  if (parameter['in'] === 'body') {
    const body = new ProtobufWriter()
      .text(1, description)
      .text(2, name)
      .text(3, 'body')
      .flag(4, required)
      .message(5, schema(parameter['schema'] as SchemaNode));
    return new ProtobufWriter().message(1, body);
  }
  const query = new ProtobufWriter()
    .flag(1, required)
    .text(2, 'query')
    .text(3, description)
    .text(4, name)
    .text(6, type);
  return new ProtobufWriter().message(2, new ProtobufWriter().message(3, query));
}
