import { expected } from '../../base/errors.ts';
import { nearest } from '../../base/text/edit-distance.ts';
import { viewKinds } from '../model/view-kinds.ts';
import type { TreeTarget } from './config.ts';

/** Kind of the rows that pods become. */
const volume = { group: '', kind: 'Volume', plural: 'volumes' } as const;

/** Group and kind of a row. */
export interface RowKind {
  readonly group: string;
  readonly kind: string;
}

/**
 * The kind that a user names as kubectl's users do: kind, plural, singular or short name, in any case, `.group` or the
 * beginning of a group behind it. Throws AZ_CONFIG_INVALID for none, and for several, which it lists.
 */
export function selectKind({ kind: asked }: TreeTarget): RowKind {
  const [word = '', ...group] = asked.toLowerCase().split('.');
  const names = [
    { ...volume, shortNames: [] as readonly string[] },
    ...viewKinds
      .filter(({ type }) => type.group !== '')
      .map(({ type, shortNames }) => ({ group: type.group, kind: type.kind, plural: type.plural, shortNames })),
  ];
  const found = names.filter((each) => {
    const words = [each.kind.toLowerCase(), each.plural, ...each.shortNames];
    return words.includes(word) && each.group.startsWith(group.join('.'));
  });
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  const choices = found.map((each) => `${each.kind}.${each.group}`).join(', ');
  const like = names.filter((each) => each.kind.toLowerCase().includes(word)).map((each) => each.kind);
  const meant = nearest(word, names, (each) => each.kind)?.kind;
  const hint = meant ?? like[0] ?? '';
  throw expected(
    'KIND',
    only
      ? `one of ${choices}`
      : `a kind of an Azure resource, an identity or a volume${hint === '' ? '' : ` (did you mean ${hint}?)`}`,
    asked,
  );
}
