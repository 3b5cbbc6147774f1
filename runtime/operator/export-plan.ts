import type { ExportDestination, ExportExpression } from '../api/common-schemas.ts';
import type { ResourceAction, ValueSource } from '../api/types.ts';

/** A POST on the resource that answers with values. */
export interface ExportAction {
  /** Names the answer for the sources below; equal actions have equal ids. */
  readonly id: string;
  readonly method: 'POST' | 'GET';
  /** Full path. */
  readonly path: string;
  readonly apiVersion: string;
  readonly body?: unknown;
}

export type ExportSource =
  | { readonly from: 'action'; readonly action: string; readonly value: ValueSource }
  /** The resource as ARM answered. */
  | { readonly from: 'resource'; readonly value: ValueSource }
  | { readonly from: 'expression'; readonly expression: string };

export interface ExportItem {
  readonly target: 'Secret' | 'ConfigMap';
  readonly to: Pick<ExportDestination, 'name' | 'labels' | 'annotations'> & { readonly key?: string };
  readonly source: ExportSource;
}

/** Everything one object asks to be written into the cluster, and the requests that this needs. No more are made. */
export interface ExportPlan {
  readonly items: readonly ExportItem[];
  readonly actions: readonly ExportAction[];
  /** The values that expressions may use as `secret.<name>`. */
  readonly secrets: Readonly<Record<string, { readonly action: string; readonly value: ValueSource }>>;
}

export interface OperatorSpecExpressions {
  readonly secretExpressions?: readonly ExportExpression[];
  readonly configMapExpressions?: readonly ExportExpression[];
}

export function expressionItems(spec: OperatorSpecExpressions | undefined): ExportItem[] {
  const items = (target: ExportItem['target'], list: readonly ExportExpression[] = []) =>
    list.map((to): ExportItem => ({ target, to, source: { from: 'expression', expression: to.value } }));
  return [...items('Secret', spec?.secretExpressions), ...items('ConfigMap', spec?.configMapExpressions)];
}

/** Whether an expression uses the variable `secret`. */
export function usesSecret(item: ExportItem): boolean {
  return item.source.from === 'expression' && /(^|[^\w.])secret\s*[.[]/.test(item.source.expression);
}

export function exportAction(resourceId: string, action: ResourceAction): ExportAction {
  const path = action.path.startsWith('/') ? action.path : `${resourceId}/${action.path}`;
  const method = action.method === 'GET' ? 'GET' : 'POST';
  return { id: `${method} ${path}`, method, path, apiVersion: action.apiVersion };
}
