import jsonPatchLibrary, { type JsonPatchError, type Operation } from 'fast-json-patch';
import { copy } from '../../../json.ts';
import { type Json, PatchError } from '../../model/types.ts';

/** The library's errors for malformed patches; every other error is about the object that is patched. */
const malformed = new Set([
  'SEQUENCE_NOT_AN_ARRAY',
  'OPERATION_NOT_AN_OBJECT',
  'OPERATION_OP_INVALID',
  'OPERATION_PATH_INVALID',
  'OPERATION_FROM_REQUIRED',
  'OPERATION_VALUE_REQUIRED',
  'OPERATION_VALUE_CANNOT_CONTAIN_UNDEFINED',
]);

/** RFC 6902. Malformed patches throw `malformed`; a missing path or a failed `test` throws `unprocessable`. */
export function jsonPatch(live: Json, patch: unknown): Json {
  if (!Array.isArray(patch)) throw new PatchError('malformed', 'a JSON patch must be an array of operations');
  try {
    // The operations are copied too: the library puts their values into the result as they are.
    return jsonPatchLibrary.applyPatch(copy(live), copy(patch) as Operation[], true).newDocument;
  } catch (error) {
    // The message repeats the whole object after its first line.
    const { name, message, operation } = error as JsonPatchError;
    const [reason] = message.split('\n');
    const at = (operation as Partial<Operation> | undefined)?.path ?? '';
    throw new PatchError(malformed.has(name) ? 'malformed' : 'unprocessable', `${reason}: ${at}`);
  }
}
