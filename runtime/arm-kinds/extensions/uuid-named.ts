import { createHash, randomUUID } from 'node:crypto';
import type { KubeObject } from '../../kube/client/types.ts';
import { appliedVersion } from '../applied-version.ts';
import { annotations, broughtResourceId } from '../names.ts';
import { getPath } from '../values/json-object.ts';
import type { KindExtension } from './extension.ts';

/** Namespace of the names that ASO v2 derives; objects that move from it keep their role assignments. */
const namespace = '9a329043-7ad7-4b1c-812f-9c7a93d6392a';
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Such resources have a UUID as name: the object's own name if it is a UUID, else one derived from its ids. */
export const uuidNamed: KindExtension = {
  defaultName: (object) => {
    const { name } = object.metadata;
    if (uuid.test(name)) return name;
    if (getPath(object, 'spec.operatorSpec.namingConvention') === 'random') {
      // An object of ASO keeps the name that ASO generated. This grants no more than setting azureName does.
      const { [annotations.resourceId]: recorded, [broughtResourceId]: brought } = object.metadata.annotations ?? {};
      const last = (recorded ?? brought)?.split('/').at(-1) ?? '';
      return uuid.test(last) ? last : randomUUID();
    }
    return uuidV5(stableSeed(object));
  },
};

/** Like `uuidNamed`, by the older naming scheme in every version. */
export const uuidNamedBefore: KindExtension = {
  defaultName: (object) => {
    const { name } = object.metadata;
    return uuid.test(name) ? name : uuidV5(stableSeed(object, true));
  },
};

function stableSeed(object: KubeObject, isOldScheme = appliedVersion(object).startsWith('v1api')): string {
  const { namespace: place = '', name } = object.metadata;
  const owner = (getPath(object, 'spec.owner') ?? {}) as Record<string, string | undefined>;
  const own = `${object.kind}/${object.apiVersion.split('/')[0]}:${place}/${name}`;
  if (owner['armId'] === undefined) {
    return `${owner['group'] ?? ''}/${owner['kind'] ?? ''}:${place}/${owner['name'] ?? ''}:${own}`;
  }
  // The versions of the older naming scheme leave an owner given as ARM id out of the seed.
  return isOldScheme ? `/:${place}/:${own}` : `${owner['armId']}:${own}`;
}

/** RFC 9562 section 5.5. */
export function uuidV5(text: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(text)
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}
