import { Graph, layout } from '@dagrejs/dagre';
import { escaped } from '../base/text/printable.ts';
import type { Plan, PlanAction, PlannedChange } from '../compute/plan/change.ts';
import { signs } from './render-text.ts';

const fills: Readonly<Record<PlanAction, string>> = {
  Create: '#d9f2d9',
  Modify: '#fff2cc',
  Replace: '#f8d7da',
  Delete: '#f8d7da',
  None: '#f5f5f5',
  Unknown: '#d9eaf7',
};
const box = { width: 280, height: 44 } as const;

/** Text for a node: the sign and the kind, and below them the name. */
function labelOf({ key, action }: PlannedChange): readonly [string, string] {
  const slash = key.indexOf('/');
  const kind = key.slice(0, slash).split('.')[0] ?? '';
  return [`${signs[action]} ${kind}`.trim(), key.slice(slash + 1)];
}

interface Drawn {
  readonly nodes: readonly PlannedChange[];
  /** Indexes of nodes: the first comes before the second. */
  readonly edges: readonly (readonly [number, number])[];
}

function drawn({ changes }: Plan): Drawn {
  const indexes = new Map(changes.map((change, index) => [`${change.namespace} ${change.key}`, index]));
  const edges = changes.flatMap(({ namespace, after }, index) =>
    after.flatMap((key): [number, number][] => {
      const from = indexes.get(`${namespace} ${key}`);
      return from === undefined ? [] : [[from, index]];
    }),
  );
  return { nodes: changes, edges };
}

/** The plan as a flowchart of Mermaid: the first changes stand left. */
export function renderMermaid(plan: Plan): string {
  const { nodes, edges } = drawn(plan);
  return [
    'flowchart LR',
    ...nodes.map((node, index) => `  n${index}["${labelOf(node).map(mermaidText).join('<br/>')}"]:::${node.action}`),
    ...edges.map(([from, to]) => `  n${from} --> n${to}`),
    ...Object.entries(fills).map(([action, fill]) => `  classDef ${action} fill:${fill},stroke:#666,color:#000`),
  ].join('\n');
}

/** The plan as a picture. */
export function renderSvg(plan: Plan): string {
  const { nodes, edges } = drawn(plan);
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: 60, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const index of nodes.keys()) graph.setNode(String(index), { ...box });
  for (const [from, to] of edges) graph.setEdge(String(from), String(to));
  layout(graph);
  // Of no nodes dagre computes the size -Infinity.
  const { width = 0, height = 0 } = nodes.length > 0 ? graph.graph() : {};
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="sans-serif" font-size="12">`,
    '<defs><marker id="end" markerWidth="8" markerHeight="8" refX="7" refY="4" orient="auto">' +
      '<path d="M0,0 L8,4 L0,8 z" fill="#666"/></marker></defs>',
    ...edges.map(([from, to]) => {
      const points = graph
        .edge(String(from), String(to))
        .points.map(({ x, y }: { x: number; y: number }) => `${round(x)},${round(y)}`);
      return `<polyline points="${points.join(' ')}" fill="none" stroke="#666" marker-end="url(#end)"/>`;
    }),
    ...nodes.map((node, index) => {
      const { x, y } = graph.node(String(index));
      const [left, top] = [round(x - box.width / 2), round(y - box.height / 2)];
      const [head, name] = labelOf(node).map((text) => xmlText(cut(text)));
      return (
        `<g><title>${xmlText(`${node.action} ${node.key}`)}</title>` +
        `<rect x="${left}" y="${top}" width="${box.width}" height="${box.height}" rx="4" fill="${fills[node.action]}" stroke="#666"/>` +
        `<text x="${left + 8}" y="${top + 18}" font-weight="bold">${head}</text>` +
        `<text x="${left + 8}" y="${top + 35}">${name}</text></g>`
      );
    }),
    '</svg>',
  ].join('\n');
}

const round = (value: number) => Math.round(value * 10) / 10;

function cut(text: string): string {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

function xmlText(text: string): string {
  return escaped(text).replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Mermaid reads HTML and Markdown in labels. */
function mermaidText(text: string): string {
  return escaped(text).replaceAll(/[^\w .+~/-]/g, (character) => `#${character.charCodeAt(0)};`);
}
