import { Graph, layout } from '@dagrejs/dagre';
import type { LayoutAnswer, LayoutRequest } from './layout.ts';

/** Lays out one graph a message, so that a large one does not stop the page. */
self.addEventListener('message', ({ data }: MessageEvent<LayoutRequest>) => {
  const graph = new Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 14, ranksep: data.between, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const id of data.nodes) graph.setNode(id, { width: data.width, height: data.height });
  for (const { from, to } of data.edges) graph.setEdge(from, to);
  layout(graph);
  // Of no nodes dagre computes the size -Infinity.
  const { width = 0, height = 0 } = data.nodes.length > 0 ? graph.graph() : {};
  const answer: LayoutAnswer = {
    number: data.number,
    width,
    height,
    nodes: data.nodes.map((id) => ({ id, x: graph.node(id).x, y: graph.node(id).y })),
    edges: data.edges.map(({ from, to }) => ({ from, to, points: graph.edge(from, to).points.slice(1, -1) })),
  };
  self.postMessage(answer);
});
