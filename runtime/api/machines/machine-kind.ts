import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { KindDefinition } from '../types.ts';
import { machinesGroup } from './common.ts';

/** The differences between the kinds of the group; without a status the kind has no status subresource. */
interface MachineKind extends Pick<KindDefinition, 'kind' | 'namespaced' | 'description' | 'printerColumns'> {
  readonly shortName: string;
  /** Default: azure and azimuth. */
  readonly categories?: readonly string[];
  readonly spec: StructuralSchema;
  readonly status?: StructuralSchema;
}

/** A kind of the group azimuth.dev, version v1alpha1, with a required spec. Its plural is the singular with an s. */
export function machineKind({ shortName, categories, spec, status, ...definition }: MachineKind): KindDefinition {
  const singular = definition.kind.toLowerCase();
  return {
    ...definition,
    group: machinesGroup,
    plural: `${singular}s`,
    singular,
    shortNames: [shortName],
    categories: categories ?? ['azure', 'azimuth'],
    versions: [{ name: 'v1alpha1' }],
    schema: { type: 'object', required: ['spec'], properties: { spec, ...(status && { status }) } },
    statusSubresource: status !== undefined,
  };
}
