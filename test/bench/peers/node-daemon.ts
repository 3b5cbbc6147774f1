import { join } from 'node:path';
import { buildPeer } from '../../../tools/judges/peers.ts';
import type { Bench } from '../bench.ts';
import { runOnNode } from '../nmi/node-network.ts';
import { figureOf, type Row } from './pairs.ts';

export const nodeDaemon: Bench = {
  name: 'node-daemon',
  description: 'beside NMI of AAD Pod Identity 1.8.17, medians of pairs; needs root',
  run: async () =>
    runOnNode<Row[]>(join(import.meta.dirname, 'node-daemon-on-node.ts'), buildPeer('nmi')).map(figureOf),
};
