import { join } from 'node:path';
import type { Bench, Figure } from '../bench.ts';
import { runOnNode } from './node-network.ts';

/** CPU of one request, microseconds, by the routes of the node. */
export interface ConnectionCosts {
  readonly routes: number;
  readonly ours: number;
  readonly bare: number;
}

const mostMicros = { few: 300, any: 400 };

export const bench: Bench = {
  name: 'nmi-connections',
  description:
    'the node daemon with a new connection for each request, by the pod routes and neighbours of the node; needs root',
  async run() {
    const costs = runOnNode<ConnectionCosts[]>(join(import.meta.dirname, 'connections-node.ts'));
    const first = costs[0]?.ours ?? 0;
    return costs.map(({ routes, ours, bare }): Figure => {
      const most = routes <= 2 ? mostMicros.few : mostMicros.any;
      return {
        what: `CPU of a request on a new connection, ${routes} routes, iproute2 counted (median)`,
        ours: `${ours.toFixed(0)} us`,
        theirs: `${bare.toFixed(0)} us`,
        ratio: bare / ours,
        goal: `at most ${most} us, no growth with the routes`,
        ok: ours <= most && ours <= first * 1.25,
      };
    });
  },
};
