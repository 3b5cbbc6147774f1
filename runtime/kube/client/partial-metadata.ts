import { apiVersionOf, type KubeObject, type ResourceType } from './types.ts';

/** `metadataOnly` as HTTP knows it: `Accept` of a LIST or WATCH; a server without the form sends whole objects. */
export function partialMetadataAccept(form: 'PartialObjectMetadata' | 'PartialObjectMetadataList'): string {
  return `application/json;as=${form};g=meta.k8s.io;v=v1,application/json`;
}

/** The metadata of an object in either form, under the name of its own type. */
export function partialMetadata(type: ResourceType, { metadata }: KubeObject): KubeObject {
  return { apiVersion: apiVersionOf(type), kind: type.kind, metadata };
}
