import { notAcceptable } from '../model/status.ts';

/** The representations that `as=` in the Accept header selects. */
export interface Accepted {
  readonly format: 'json' | 'yaml' | 'protobuf';
  /** Table, PartialObjectMetadata, PartialObjectMetadataList, APIGroupDiscoveryList or undefined. */
  readonly as: string | undefined;
  readonly group: string | undefined;
  readonly version: string | undefined;
}

const plain: Accepted = { format: 'json', as: undefined, group: undefined, version: undefined };
const transforms: Record<string, readonly string[]> = {
  Table: ['meta.k8s.io/v1', 'meta.k8s.io/v1beta1'],
  PartialObjectMetadata: ['meta.k8s.io/v1'],
  PartialObjectMetadataList: ['meta.k8s.io/v1'],
};
const discovery: Record<string, readonly string[]> = {
  APIGroupDiscoveryList: ['apidiscovery.k8s.io/v2', 'apidiscovery.k8s.io/v2beta1'],
};

/** The first entry of an Accept header that can be served. Throws 406. */
export function negotiate(header: string | undefined, what: 'object' | 'discovery'): Accepted {
  const known = what === 'object' ? transforms : discovery;
  for (const entry of (header || '*/*').split(',')) {
    const [type = '', ...parameters] = entry.split(';').map((part) => part.trim());
    const format = formatOf(type.toLowerCase());
    if (!format) continue;
    const value = (name: string) =>
      parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
    const as = value('as');
    if (as === undefined) return { ...plain, format };
    const group = value('g');
    const version = value('v');
    if (known[as]?.includes(`${group}/${version}`)) return { format, as, group, version };
  }
  throw notAcceptable();
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  if (type === '*/*' || type === 'application/*' || type === 'application/json') return 'json';
  return type === 'application/yaml' ? 'yaml' : undefined;
}
