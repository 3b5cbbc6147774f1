import { parseAllDocuments, parse as parseYaml } from 'yaml';
import { badRequest, unsupportedMediaType } from '../model/status.ts';
import { decodeProtobuf } from './protobuf.ts';

/** The largest body that is read, as the API server's default. Bytes. */
export const bodyLimit = 3 * 1024 * 1024;

/** The media type of a Content-Type header in lower case, without parameters; '' if absent. */
export const mediaType = (header: string | undefined) => (header ?? '').split(';')[0]?.trim().toLowerCase() ?? '';

const accepted = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'];

/** Decodes the body of POST, PUT and DELETE. `kind` is the expected kind, for the message. Throws 400 and 415. */
export function decodeObject(body: Buffer, contentType: string | undefined, kind: string): Record<string, unknown> {
  const type = mediaType(contentType) || 'application/json';
  const text = body.toString('utf8');
  let value: unknown;
  try {
    if (type === 'application/json') value = JSON.parse(text);
    else if (type === 'application/yaml') value = parseYamlObject(text);
    else if (type === 'application/vnd.kubernetes.protobuf') value = decodeProtobuf(body);
    else throw unsupportedMediaType(accepted);
  } catch (error) {
    if (!(error instanceof SyntaxError || (error as Error).name === 'YAMLParseError')) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: ${firstLine(error)} (${text.slice(0, 32)})`,
    );
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw badRequest(
      `the object provided is unrecognized (must be of type ${kind}): couldn't get version/kind; json parse error: expected an object (${text.slice(0, 32)})`,
    );
  return value as Record<string, unknown>;
}

/** Decodes a patch document of any type; `yaml` for server-side apply. Throws 400. */
export function decodePatch(body: Buffer, yaml: boolean): unknown {
  const text = body.toString('utf8');
  try {
    return yaml ? parseYamlObject(text) : JSON.parse(text);
  } catch (error) {
    throw badRequest(`error decoding ${yaml ? 'YAML' : 'patch'}: ${firstLine(error)}`);
  }
}

/** Nearly every client sends JSON as YAML, and a JSON parser takes a hundredth of the time. */
function parseYamlObject(text: string): unknown {
  if (text.startsWith('{')) {
    try {
      return JSON.parse(text);
    } catch {
      // It is YAML in the flow style, or the error of the YAML parser says more.
    }
  }
  if (parseAllDocuments(text).length > 1) throw new SyntaxError('more than one YAML document');
  return parseYaml(text, { maxAliasCount: 100 });
}

const firstLine = (error: unknown) => (error as Error).message.split('\n')[0];
