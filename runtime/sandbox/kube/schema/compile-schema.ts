import type { CompiledSchema, CompileOptions, OpenApiSchema, Unstructured } from '../types.ts';
import { builtinDefaults } from './builtin-defaults.ts';
import { objectMeta } from './builtin-types.ts';
import { dropEmpty, fillDefaults } from './defaulting.ts';
import { pruneUnknown } from './prune.ts';
import { asNode } from './schema-node.ts';
import { validateStructure } from './validate.ts';

/** A schema made ready for requests. Throws for a CEL rule that does not compile; `validateCrdSchema` names such rules. */
export function compileSchema(source: OpenApiSchema, options: CompileOptions = {}): CompiledSchema {
  const root = asNode(source);
  const builtin = source['x-kubernetes-group-version-kind'] !== undefined;
  return {
    source,
    prune: (object: Unstructured) => (options.preserveUnknown ? [] : pruneUnknown(object, root)),
    applyDefaults: (object: Unstructured) => {
      if (builtin) dropEmpty(object, root);
      if (object.metadata) dropEmpty(object.metadata, objectMeta);
      fillDefaults(object, root);
      if (builtin) builtinDefaults(object);
    },
    validate: (object: Unstructured, _old?: Unstructured) => validateStructure(object, root),
  };
}
