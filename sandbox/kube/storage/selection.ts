import { present, type Resource } from '../model/resource.ts';
import { badRequest } from '../model/status.ts';
import type { Unstructured } from '../model/types.ts';
import { type FieldTerm, fieldValue, parseFieldSelector, parseLabelSelector } from './selectors.ts';

/** Which objects of a resource a LIST, WATCH or DELETE of a collection means. */
export interface Selection {
  readonly resource: Resource;
  /** All namespaces when undefined. */
  readonly namespace: string | undefined;
  /** Whether a selector leaves objects out. */
  readonly filtered: boolean;
  matches(object: Unstructured): boolean;
}

/** Parses the selectors of a request. Throws 400 for one that is malformed or not supported for this resource. */
export function selection(
  resource: Resource,
  namespace: string | undefined,
  labelSelector: string,
  fieldSelector: string,
): Selection {
  const labels = parseLabelSelector(labelSelector);
  const terms = parseFieldSelector(fieldSelector);
  for (const { path } of terms) {
    const known =
      path === 'metadata.name' ||
      (path === 'metadata.namespace' && resource.namespaced) ||
      resource.behaviour.selectableFields?.includes(path);
    if (!known) throw badRequest(`field label not supported: ${path}`);
  }
  const fits = ({ path, value, negated }: FieldTerm, object: Unstructured) =>
    (fieldValue(object, path) === value) !== negated;
  return {
    resource,
    namespace,
    filtered: labels !== undefined || terms.length > 0,
    matches: (object) => {
      if (namespace !== undefined && object['metadata'].namespace !== namespace) return false;
      if (labels && !labels(object['metadata'].labels ?? {})) return false;
      // Fields are named as in this version (events have two representations).
      return terms.length === 0 || terms.every((term) => fits(term, present(resource, object)));
    },
  };
}
