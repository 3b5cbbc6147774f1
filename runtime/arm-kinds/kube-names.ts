import { createHash } from 'node:crypto';
import { normalizeResourceId, parseResourceId } from '../azure/arm/resource-ids.ts';
import { trimEndOf, trimOf } from '../base/text/text.ts';

/** Longest name that is also a label's value, as the operator labels children with the name of their owner. */
const longest = 63;
/** 64 bits, so that the author of a name in Azure cannot find another name with the same hash. */
const hashLength = 16;
const hashed = new RegExp(`-[0-9a-f]{${hashLength}}$`);

/** A resource that needs a name of its own: no two of one group and kind may share one. */
export interface Nameable {
  readonly id: string;
  readonly group: string;
  readonly kind: string;
}

/**
 * Names of the objects for resources, by normalized id. A resource below another starts with that one's name
 * (`account-default-logs`); characters that Kubernetes refuses become `-`; where two of one kind end up with one name,
 * or a name is too long or looks as if it had one already, part of the hash of the id follows: no name of a resource
 * can be chosen so that its object takes the place of another. The same resources get the same names in any order.
 */
export function kubeNames(resources: readonly Nameable[]): Map<string, string> {
  const count = new Map<string, number>();
  const keyOf = ({ id, group, kind }: Nameable) => `${group}/${kind} ${plainName(id)}`;
  for (const each of resources) count.set(keyOf(each), (count.get(keyOf(each)) ?? 0) + 1);
  return new Map(
    resources.map((each) => {
      const plain = plainName(each.id);
      const alone = count.get(keyOf(each)) === 1 && plain.length <= longest && !hashed.test(plain);
      return [normalizeResourceId(each.id), alone ? plain : hashedName(plain, each.id)];
    }),
  );
}

/**
 * The name of the object for one resource, whatever other resources there are: a resource that is added later renames no
 * object. It is `prefix` and the name of the resource where no other id of the kind gives that name; otherwise part of the
 * hash of the id follows. `isShared` says that resources of several types have the kind.
 */
export function kubeNameOf(id: string, { prefix = '', isShared = false } = {}): string {
  const { names, scope } = parseResourceId(id);
  const [only = '', ...more] = names;
  const name = prefix === '' ? plainName(id) : `${prefix}-${plainName(id)}`;
  const isPlain = more.length === 0 && scope === undefined && /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i.test(only);
  const stays = isPlain && !isShared && name.length <= longest && !hashed.test(name);
  return stays ? name : hashedName(name, id);
}

function plainName(id: string): string {
  const joined = parseResourceId(id).names.join('-').toLowerCase();
  const plain = trimOf(joined.replaceAll(/[^a-z0-9-]+/g, '-'), '-');
  return plain === '' ? 'unnamed' : plain;
}

/** The name, cut, with part of the hash of the id; for a part of an object, such as a Secret, the id is any text. */
export function hashedName(plain: string, id: string): string {
  const hash = createHash('sha256').update(normalizeResourceId(id)).digest('hex').slice(0, hashLength);
  const cut = trimEndOf(plain.slice(0, longest - hashLength - 1), '-');
  return `${cut}-${hash}`;
}
