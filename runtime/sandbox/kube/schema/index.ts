/** The pure semantics of the embedded Kubernetes API; the seam is `SchemaFunctions` in ../types.ts. */
export { applyPatch } from './apply-patch.ts';
export { builtinTypes } from './builtin-types.ts';
export { compileSchema } from './compile-schema.ts';
export { serverSideApply } from './server-side-apply.ts';
export { trackUpdate } from './track-update.ts';
export { validateCrdSchema } from './validate-crd-schema.ts';
