/** The pure semantics of the embedded Kubernetes API; the seam is `SchemaFunctions` in ../types.ts. */

export { serverSideApply } from './apply/server-side-apply.ts';
export { trackUpdate } from './apply/track-update.ts';
export { builtinTypes } from './builtin-types.ts';
export { compileSchema } from './compile-schema.ts';
export { openApiV2 } from './openapi/openapi-v2.ts';
export { openApiV2Protobuf } from './openapi/openapi-v2-protobuf.ts';
export { openApiV3, openApiV3Discovery } from './openapi/openapi-v3.ts';
export { applyPatch } from './patch/apply-patch.ts';
export { validateCrdSchema } from './validate-crd-schema.ts';
