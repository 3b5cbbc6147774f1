/** The pure semantics of the embedded Kubernetes API; the seam is `SchemaFunctions` in ../types.ts. */
export { applyPatch } from './apply-patch.ts';
export { builtinTypes } from './builtin-types.ts';
export { compileSchema } from './compile-schema.ts';
export { openApiV2 } from './openapi-v2.ts';
export { openApiV2Protobuf } from './openapi-v2-protobuf.ts';
export { openApiV3, openApiV3Discovery } from './openapi-v3.ts';
export { serverSideApply } from './server-side-apply.ts';
export { trackUpdate } from './track-update.ts';
export { validateCrdSchema } from './validate-crd-schema.ts';
