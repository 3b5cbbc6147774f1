import { type Json, type OpenApiSchema, PatchError, type PatchKind, type Unstructured } from '../../types.ts';
import { asNode, isObject } from '../schema-node.ts';
import { jsonPatch } from './json-patch.ts';
import { mergePatch } from './merge-patch.ts';
import { strategicMergePatch } from './strategic-merge.ts';

/** The patched copy of `live`; throws `PatchError`. `strategic` needs the schema of a built-in kind. */
export function applyPatch(kind: PatchKind, live: Unstructured, patch: unknown, schema?: OpenApiSchema): Unstructured {
  if (kind === 'json') return asObject(jsonPatch(live as Json, patch));
  if (!isObject(patch)) throw new PatchError('malformed', `a ${kind} patch must be an object`);
  if (kind === 'merge') return asObject(mergePatch(live as Json, patch));
  if (!schema) {
    throw new PatchError(
      'unsupported',
      'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, ' +
        'application/merge-patch+json, application/apply-patch+yaml',
    );
  }
  return strategicMergePatch(live, patch, asNode(schema));
}

function asObject(value: Json): Unstructured {
  if (!isObject(value)) throw new PatchError('unprocessable', 'the patch leaves no object');
  return value;
}
