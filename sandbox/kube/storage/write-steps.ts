import { validateMetadata } from '../model/names.ts';
import { groupVersion, type Resource } from '../model/resource.ts';
import { invalid } from '../model/status.ts';
import type { Cause, Unstructured } from '../model/types.ts';
import type { WriteContext } from '../model/write-request.ts';
import { trackUpdate } from '../schema/apply/track-update.ts';
import { cannotHandle, finalizerCauses } from './metadata.ts';

/** Prunes, reports the removed members, fills in defaults and the members that the kind sets itself. */
export function shape(
  resource: Resource,
  object: Unstructured,
  old: Unstructured | undefined,
  context: WriteContext,
  unknown: readonly string[],
): void {
  reportUnknown(resource, [...unknown, ...prune(resource, object)], context);
  if (!resource.custom) rejectWrongTypes(resource, resource.schema.validate(object));
  resource.schema.applyDefaults(object);
  resource.behaviour.prepare?.(object, old);
}

/** Warns of unknown members, or refuses them (400) with `fieldValidation=Strict`. */
export function reportUnknown(resource: Resource, paths: readonly string[], context: WriteContext): void {
  if (paths.length === 0 || context.fieldValidation === 'Ignore') return;
  const problems = [...new Set(paths)].map((path) => `unknown field "${path}"`);
  // A built-in kind may have gained members since its schema was taken: they are kept, with a warning.
  if (context.fieldValidation === 'Strict' && resource.custom)
    throw cannotHandle(resource, `strict decoding error: ${problems.join(', ')}`);
  context.warnings.push(...problems);
}

/** Throws 422 with every cause: metadata, schema with the old object at hand, rules of the kind. */
export function validate(resource: Resource, object: Unstructured, old: Unstructured | undefined): void {
  const metadata = object['metadata'];
  const causes: Cause[] = [
    ...validateMetadata(metadata, resource.behaviour.nameRule ?? 'subdomain'),
    ...(old ? finalizerCauses(metadata, old['metadata']) : []),
    // The metadata of built-in kinds has been checked above.
    ...resource.schema.validate(object, old).filter(({ field }) => !field.startsWith('metadata.')),
    ...(resource.behaviour.validate?.(object, old) ?? []),
  ];
  if (causes.length > 0) throw invalid(resource, metadata.name ?? '', causes);
}

/** The managed fields after a write that is no server-side apply. */
export function track(
  resource: Resource,
  before: Unstructured | undefined,
  after: Unstructured,
  subresource: string,
  manager: string,
  now: string,
): unknown {
  return trackUpdate({
    before,
    after,
    manager,
    apiVersion: groupVersion(resource),
    subresource,
    operation: 'Update',
    schema: resource.schema.source,
    now,
  });
}

/** Drops members that the schema does not have; of a built-in kind it only finds them. Returns the paths. */
export function prune(resource: Resource, object: Unstructured): string[] {
  return resource.strictSchema?.prune(structuredClone(object)) ?? resource.schema.prune(object);
}

/** A built-in kind with a value of the wrong type does not decode: 400, not 422. The value may be a Secret's. */
function rejectWrongTypes(resource: Resource, causes: readonly Cause[]): void {
  for (const { field, message } of causes) {
    const type = / must be of type (\w+)/.exec(message)?.[1];
    if (type) throw cannotHandle(resource, `${field} must be of type ${type}`);
  }
}
