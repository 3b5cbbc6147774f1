import { join } from 'node:path';
import { buildPeer } from '../../../tools/judges/peers.ts';
import type { Bench } from '../bench.ts';
import { runOnNode } from '../nmi/node-network.ts';
import { figureOf, type Row } from './pairs.ts';

export const csiProvider: Bench = {
  name: 'csi-provider',
  description: "beside Azure's provider of the Secrets Store CSI driver 1.7.2, medians of pairs; needs root",
  run: async () =>
    runOnNode<Row[]>(join(import.meta.dirname, 'csi-provider-on-node.ts'), buildPeer('provider')).map(figureOf),
};
