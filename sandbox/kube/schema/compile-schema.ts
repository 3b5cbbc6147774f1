import type { Cause, CompiledSchema, CompileOptions, OpenApiSchema, Unstructured } from '../model/types.ts';
import { builtinDefaults } from './builtin-defaults.ts';
import { objectMeta } from './builtin-types.ts';
import { CelRules } from './cel/cel-rules.ts';
import { dropEmpty, fillDefaults } from './defaulting.ts';
import { pruneUnknown } from './prune.ts';
import { asNode } from './schema-node.ts';
import { validateStructure } from './validate.ts';

/** Rules may rely on the shape of an object; after one of these they are not run. */
const blocking = new Set([
  ...['FieldValueRequired', 'FieldValueTypeInvalid', 'FieldValueTooLong', 'FieldValueTooMany'],
  'FieldValueNotSupported',
]);

const unchecked: Cause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  field: '<nil>',
};

/**
 * A schema made ready for requests. CEL rules are compiled for the first object, as most definitions of a cluster have
 * none; those that do not compile are left out, and `validateCrdSchema` refuses them.
 */
export function compileSchema(source: OpenApiSchema, options: CompileOptions = {}): CompiledSchema {
  const root = asNode(source);
  const builtin = source['x-kubernetes-group-version-kind'] !== undefined;
  let rules: CelRules | undefined;
  return {
    source,
    prune: (object: Unstructured) => (options.preserveUnknown ? [] : pruneUnknown(object, root)),
    applyDefaults: (object: Unstructured) => {
      if (builtin) dropEmpty(object, root);
      if (object['metadata']) dropEmpty(object['metadata'], objectMeta);
      fillDefaults(object, root);
      if (builtin) builtinDefaults(object);
    },
    validate: (object: Unstructured, old?: Unstructured) => {
      const causes = validateStructure(object, root);
      if (builtin) return causes;
      rules ??= new CelRules(root);
      if (rules.empty) return causes;
      if (causes.some((cause) => blocking.has(cause.reason))) return [...causes, unchecked];
      return [...causes, ...rules.validate(object, old)];
    },
  };
}
