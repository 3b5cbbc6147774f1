import type { ExportDestination, ExportExpression } from '../../api/common-schemas.ts';
import type { ResourceAction, ValueSource } from '../../api/types.ts';
import { AzimuthError } from '../../base/errors.ts';
import { valueAt } from '../body/value-path.ts';
import type { KeyVaultPlan } from './export-to-key-vault.ts';
import type { UserExpression } from './expressions.ts';

/** A POST on the resource that answers with values. */
export interface ExportAction {
  /** Names the answer for the sources below; equal actions have equal ids. */
  readonly id: string;
  readonly method: 'POST' | 'GET';
  /** Full path, or `{status.<path>}`: the path that the status has there. */
  readonly path: string;
  readonly apiVersion: string;
  readonly body?: unknown;
  /** As in ResourceAction. */
  readonly lro?: boolean | undefined;
}

/** Where the value of an export comes from. */
export type ExportSource =
  | { readonly from: 'action'; readonly action: string; readonly value: ValueSource }
  /** The resource as ARM answered. */
  | { readonly from: 'resource'; readonly value: ValueSource }
  | ({ readonly from: 'expression' } & UserExpression)
  /** A row of v1's table. */
  | { readonly from: 'output'; readonly expression: string };

/** One value to export, with its destination. */
export interface ExportItem {
  readonly target: 'Secret' | 'ConfigMap' | 'KeyVault';
  readonly to: Pick<ExportDestination, 'name' | 'labels' | 'annotations'> & { readonly key?: string };
  readonly source: ExportSource;
  /** Labels and annotations that expressions yield. They may not see secrets. */
  readonly computed?: Readonly<Record<'labels' | 'annotations', Readonly<Record<string, UserExpression>>>>;
  /** Path of the field of the spec that asks for it. */
  readonly where: string;
}

/** Everything one object asks to be written for others, and the requests that this needs. No more are made. */
export interface ExportPlan {
  readonly items: readonly ExportItem[];
  readonly actions: readonly ExportAction[];
  /** The values that expressions may use as `secret.<name>`. */
  readonly secrets: Readonly<Record<string, ExportSource>>;
  /** Of the items whose target is KeyVault. */
  readonly keyVault?: KeyVaultPlan | undefined;
}

/** The lists of CEL expressions of an operatorSpec. */
export interface OperatorSpecExpressions {
  readonly secretExpressions?: readonly ExportExpression[];
  readonly configMapExpressions?: readonly ExportExpression[];
}

/** The exports that the CEL expressions of an operatorSpec ask for. */
export function expressionItems(spec: OperatorSpecExpressions | undefined): ExportItem[] {
  const items = (target: 'Secret' | 'ConfigMap', field: keyof OperatorSpecExpressions) =>
    (spec?.[field] ?? []).map(({ name, key, value, labels, annotations }, index): ExportItem => {
      const where = `spec.operatorSpec.${field}[${index}]`;
      const expression = { expression: value, where: `${where}.value`, seesSecrets: target === 'Secret' };
      return {
        target,
        to: { name, ...(key !== undefined && { key }) },
        source: { from: 'expression', ...expression },
        computed: { labels: texts(labels, `${where}.labels`), annotations: texts(annotations, `${where}.annotations`) },
        where,
      };
    });
  return [...items('Secret', 'secretExpressions'), ...items('ConfigMap', 'configMapExpressions')];
}

function texts(expressions: Readonly<Record<string, string>> = {}, where: string): Record<string, UserExpression> {
  const text = (expression: string, name: string): UserExpression => ({
    expression,
    where: `${where}[${name}]`,
    seesSecrets: false,
    yields: 'string',
  });
  return Object.fromEntries(Object.entries(expressions).map(([name, expression]) => [name, text(expression, name)]));
}

/** The expressions of an item: that of its value, and those of its labels and annotations. */
export function expressionsIn({ source, computed }: ExportItem): UserExpression[] {
  const ofMetadata = Object.values(computed ?? {}).flatMap((expressions) => Object.values(expressions));
  return [...(source.from === 'expression' ? [source] : []), ...ofMetadata];
}

/**
 * Throws AZ_TERMINAL for two values for one key, which can be seen before there is a resource.
 */
export function checkExports({ items }: ExportPlan): void {
  const askedBy = new Map<string, string>();
  for (const { target, to, where } of items) {
    if (to.key === undefined) continue;
    const place = `${target} ${to.name}, key ${to.key}`;
    const other = askedBy.get(place);
    if (other !== undefined) throw twoValues(place, other, where);
    askedBy.set(place, where);
  }
}

/** The error for two values with one destination: AZ_TERMINAL that names the destination and both fields. */
export function twoValues(place: string, one: string, other: string): AzimuthError {
  const message = `Two values are asked for ${place}, by ${one} and by ${other}: give one of them another key or name`;
  return new AzimuthError('AZ_TERMINAL', message);
}

/** The POST that returns a resource's keys; a path that begins with `/` or `{` is not below the resource. */
export function exportAction(resourceId: string, action: ResourceAction): ExportAction {
  const path = /^[/{]/.test(action.path) ? action.path : `${resourceId}/${action.path}`;
  const method = action.method === 'GET' ? 'GET' : 'POST';
  return { id: `${method} ${path}`, method, path, apiVersion: action.apiVersion, lro: action.lro };
}

/** The path to send the action to. Throws AZ_REFERENCE_MISSING while Azure does not show the value for it. */
export function actionPath(path: string, self: unknown): string {
  const inner = /^\{(.+)\}$/.exec(path)?.[1];
  if (inner === undefined) return path;
  const value = valueAt(self, inner);
  if (typeof value === 'string' && value.startsWith('/')) return value;
  throw new AzimuthError('AZ_REFERENCE_MISSING', `Azure does not show ${inner} yet`);
}
