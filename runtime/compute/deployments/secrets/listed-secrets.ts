/**
 * Secrets that Azure lists, such as `listKeys(…).keys[0].value`, in the bodies of a deployment's ARM template. A deployment
 * reads none of them: the object of the listed resource writes the Secret that the body needs, by `operatorSpec`. Which part
 * of a text is the secret shows when the template is expanded with random values in place of Azure's answers.
 */
import { randomBytes } from 'node:crypto';
import type { ExportExpression } from '../../../api/common-schemas.ts';
import { armKindsOfType } from '../../../api/kinds.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { SecretValue } from '../../../base/secret-value.ts';
import type { TemplateManifest } from '../../manifests/template-manifest.ts';
import type { KnownAnswer } from '../../templates/evaluation/scope.ts';
import type { ExpandedResource } from '../../templates/expand-template.ts';

/** Random answers of list functions, by ARM id. */
export interface ListProbe {
  readonly answers: Readonly<Record<string, KnownAnswer>>;
  /** Begins each random secret; its index in `secrets` and an end follow. */
  readonly start: string;
  readonly secrets: readonly { readonly id: string; readonly name: string }[];
}

/** Two probes whose secrets differ in text and length; undefined where no resource that is waited for lists secrets. */
export function listProbes(resources: readonly ExpandedResource[]): readonly [ListProbe, ListProbe] | undefined {
  const awaited = new Set(resources.flatMap(({ waitsFor }) => waitsFor.map((id) => id.toLowerCase())));
  const listed = resources.filter(({ id, type }) => awaited.has(id.toLowerCase()) && sourceOf(type) !== undefined);
  return listed.length === 0 ? undefined : [probeOf(listed, 24), probeOf(listed, 36)];
}

/** The kind whose objects write the secrets of a type. */
function sourceOf(type: string) {
  return armKindsOfType(type).find(({ arm }) => /^[a-z]+$/i.test(arm.secretSource?.action?.path ?? ''));
}

/** Whether objects of the type write what Azure lists into Secrets. */
export const hasListSource = (type: string): boolean => sourceOf(type) !== undefined;

function probeOf(resources: readonly ExpandedResource[], length: number): ListProbe {
  // Like a key in base64, so that a function that changes keys changes this too.
  const start = `${randomBytes(length).toString('base64')}+/Aa0`;
  const secrets: { id: string; name: string }[] = [];
  const answers: Record<string, KnownAnswer> = {};
  for (const { id, type } of resources) {
    const source = sourceOf(type)?.arm.secretSource;
    const answer: JsonObject = {};
    for (const name of source?.celNames ?? []) {
      const { from, path = '' } = source?.secrets[name] ?? {};
      if (from !== 'action' || !place(answer, path, `${start}${String(secrets.length).padStart(6, '0')}+/==`)) continue;
      secrets.push({ id: id.toLowerCase(), name });
    }
    answers[id] = { lists: { [source?.action?.path ?? '']: answer } };
  }
  return { answers, start, secrets };
}

/** Puts a value where a source of the catalogue finds it: `primaryKey`, or `keys[?keyName==key1].value`. */
function place(answer: JsonObject, path: string, value: string): boolean {
  const [, list = '', field = '', key = '', member = ''] = /^(\w+)\[\?(\w+)==(\w+)\]\.(\w+)$/.exec(path) ?? [];
  if (list !== '') {
    const items = Array.isArray(answer[list]) ? answer[list] : [];
    answer[list] = [...items, { [field]: key, [member]: value }];
    return true;
  }
  if (!/^\w+$/.test(path)) return false;
  answer[path] = value;
  return true;
}

/** Secrets that the objects of listed resources write. */
export interface ListedSecrets {
  /** By ARM id in lower case. */
  readonly expressions: Map<string, readonly ExportExpression[]>;
  /** Names of the Secrets that they write. */
  readonly written: Set<string>;
  /** Names of Secrets that need a listed secret, and that no object can write. */
  readonly refused: ReadonlySet<string>;
}

/** Of a template that lists no secret. */
export const noListedSecrets = (): ListedSecrets => ({
  expressions: new Map(),
  written: new Set(),
  refused: new Set(),
});

/**
 * The expressions that write the Secrets of manifests. `made` are the manifests of the template with each of the probes.
 * `isOpen`: no secure parameter can be a part of a text, which would then stand in an expression.
 */
export function listedSecrets(
  probes: readonly [ListProbe, ListProbe],
  made: readonly [readonly TemplateManifest[], readonly TemplateManifest[]],
  isOpen: boolean,
): ListedSecrets {
  const [first, second] = made;
  const expressions = new Map<string, ExportExpression[]>();
  const written = new Set<string>();
  const refused = new Set<string>();
  const sources = new Set(
    first.filter(({ definition }) => definition.arm?.secretSource).map(({ id }) => id.toLowerCase()),
  );
  const others = new Map(second.flatMap(({ secrets }) => secrets.map((each) => [each.name, each] as const)));
  for (const { secrets } of first) {
    for (const { name, data, plain } of secrets) {
      const texts = Object.entries(data).map(([key, value]) => {
        const parts = partsOf(value, probes[0]);
        const again = partsOf(others.get(name)?.data[key], probes[1]);
        const isSame = parts !== undefined && JSON.stringify(parts) === JSON.stringify(again);
        const isListed = parts?.some(isPart) === true && (isOpen || parts.length === 1);
        const isPassed = isSame && (isListed || plain.includes(key));
        const isComputed = parts !== undefined && (!isSame || (parts.some(isPart) && !isListed));
        return { key, parts: isPassed ? parts : undefined, isComputed };
      });
      const ids = new Set(texts.flatMap(({ parts = [] }) => parts.flatMap((part) => (isPart(part) ? [part.id] : []))));
      const [id = ''] = ids;
      const isWritten = ids.size === 1 && sources.has(id) && texts.every(({ parts }) => parts !== undefined);
      if (!isWritten) {
        if (ids.size > 0 || texts.some(({ isComputed }) => isComputed)) refused.add(name);
        continue;
      }
      const own = texts.map(({ key, parts = [] }) => ({ name, key, value: expressionOf(parts) }));
      const all = expressions.get(id) ?? [];
      all.push(...own);
      expressions.set(id, all);
      written.add(name);
    }
  }
  return { expressions, written, refused };
}

type Part = string | { readonly id: string; readonly name: string };
const isPart = (part: Part): part is Exclude<Part, string> => isObject(part);

/** A text and the secrets in it; undefined for a value that is no text. */
function partsOf(value: unknown, { start, secrets }: ListProbe): Part[] | undefined {
  const text: unknown = value instanceof SecretValue ? value.reveal() : undefined;
  if (typeof text !== 'string') return undefined;
  const [head = '', ...others] = text.split(start);
  const parts = others.flatMap((piece): Part[] => {
    const secret = piece.slice(6, 10) === '+/==' ? secrets[Number(piece.slice(0, 6))] : undefined;
    // One that a function has changed stays a text, which differs between two probes.
    return secret ? [secret, piece.slice(10)] : [`${start}${piece}`];
  });
  return [head, ...parts].filter((part) => part !== '');
}

/** CEL: the literals of JSON are some of its own. */
function expressionOf(parts: readonly Part[]): string {
  return parts.length === 0
    ? '""'
    : parts.map((part) => (isPart(part) ? `secret.${part.name}` : JSON.stringify(part))).join(' + ');
}
