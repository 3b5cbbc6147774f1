import type { XStatic } from 'typebox/schema';
import type { StructuralSchema } from '../schema/structural-schema.ts';
import type { ObjectType } from './vault-objects.ts';

/** A binding's limits on volumes of pods. An addition: without it a volume holds every object its identity can read. */
export const volumePolicy = {
  type: 'object',
  description:
    'Limits the key vault volumes of the pods, whatever the identity could read; unlimited when absent. It does not limit what a pod does with tokens of its own.',
  properties: {
    objects: {
      type: 'array',
      description:
        'Objects that may be in a volume, as patterns in which * stands for any characters, such as web-* or secret/web-*; all when absent.',
      'x-kubernetes-list-type': 'set',
      minItems: 1,
      maxItems: 64,
      items: { type: 'string', pattern: '^((secret|key|cert)/)?[0-9a-zA-Z*-]{1,127}$', maxLength: 134 },
    },
    vaults: {
      type: 'array',
      description: 'Names of vaults that may be read, as patterns like those of objects; all when absent.',
      'x-kubernetes-list-type': 'set',
      minItems: 1,
      maxItems: 64,
      items: { type: 'string', pattern: '^[0-9a-zA-Z*-]{1,24}$', maxLength: 24 },
    },
  },
} as const satisfies StructuralSchema;
/** The Key Vaults and objects that volumes of a binding may mount (`spec.volumes`). */
export type VolumePolicy = XStatic<typeof volumePolicy>;

/** The vault and the objects that a volume asks for. */
export interface WantedVolume {
  readonly vault: string;
  readonly objects: readonly { readonly type: ObjectType; readonly name: string }[];
}

/** Undefined where the policy admits all of the volume, else one sentence on the first thing that it does not. */
export function policyProblem(policy: VolumePolicy | undefined, { vault, objects }: WantedVolume): string | undefined {
  const { vaults, objects: patterns } = policy ?? {};
  if (vaults && !vaults.some((pattern) => fits(pattern, vault))) {
    return `the vault ${vault} is not among ${vaults.join(', ')}`;
  }
  const refused = patterns && objects.find(({ type, name }) => !patterns.some((each) => admits(each, type, name)));
  return refused && `the ${refused.type} "${refused.name}" is not among ${patterns.join(', ')}`;
}

function admits(pattern: string, type: ObjectType, name: string): boolean {
  const [, only, names = ''] = /^(?:([^/]+)\/)?(.*)$/.exec(pattern) ?? [];
  // A certificate's secret has its private key: permission for the certificate does not include it.
  return (only === undefined || only === type) && fits(names, name);
}

/** Names of vaults and objects are the same in any case. Without regular expressions, whose time a pattern could stretch. */
function fits(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*');
  const text = name.toLowerCase();
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let at = first.length;
  for (const part of rest) {
    const partStart = text.indexOf(part, at);
    if (partStart < 0 || partStart + part.length > text.length - last.length) return false;
    at = partStart + part.length;
  }
  return true;
}
