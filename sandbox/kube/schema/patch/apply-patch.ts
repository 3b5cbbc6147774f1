import { isObject } from '../../../../runtime/base/json.ts';
import { mergePatch } from '../../../json.ts';
import {
  type Json,
  type JsonObject,
  type OpenApiSchema,
  PatchError,
  type PatchKind,
  type Unstructured,
} from '../../model/types.ts';
import { asNode } from '../schema-node.ts';
import { jsonPatch } from './json-patch.ts';
import { strategicMergePatch } from './strategic-merge.ts';

/** The patched copy of `live`; throws `PatchError`. `strategic` needs the schema of a built-in kind. */
export function applyPatch(kind: PatchKind, live: Unstructured, patch: unknown, schema?: OpenApiSchema): Unstructured {
  if (kind === 'json') return asObject(jsonPatch(live as Json, patch));
  if (!isObject(patch)) throw new PatchError('malformed', `a ${kind} patch must be an object`);
  if (kind === 'merge') return asObject(mergePatch(live, patch));
  if (!schema) {
    throw new PatchError(
      'unsupported',
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, ' +
        'application/merge-patch+json, application/apply-patch+yaml',
    );
  }
  return strategicMergePatch(live, patch as JsonObject, asNode(schema));
}

function asObject(value: unknown): Unstructured {
  if (!isObject(value)) throw new PatchError('unprocessable', 'the patch leaves no object');
  return value;
}
