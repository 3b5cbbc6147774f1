import { fuzz } from '../nmi/fuzzer.ts';
import {
  assigned,
  assignedType,
  binding,
  bindingsType,
  identitiesType,
  identity,
  pod,
  podsType,
  startNmi,
} from '../nmi/harness.ts';
import type { Bench } from './bench.ts';

const count = 100_000;

export const bench: Bench = {
  name: 'nmi-fuzz',
  description: `${count} mutated requests at the node daemon; a seed may be given as BENCH_SEED`,
  async run() {
    const seed = Number(process.env['BENCH_SEED'] ?? Date.now() % 1_000_000);
    const args = ['--retry-attempts-for-created=0', '--retry-attempts-for-assigned=0'];
    await using nmi = await startNmi({ args });
    for (const [name, ip] of [
      ['a', '127.0.0.5'],
      ['b', '127.0.0.6'],
    ] as const) {
      const made = pod({ name, ip, label: name });
      await nmi.kube.put(identitiesType, identity(name));
      await nmi.kube.put(bindingsType, binding(name, { azureIdentity: name, selector: name }));
      await nmi.kube.put(assignedType, assigned(made, identity(name)));
      await nmi.kube.put(podsType, made);
    }
    const callers = { '127.0.0.5': 'client-a', '127.0.0.6': 'client-b', '127.0.0.7': 'nobody' };
    const result = await fuzz({ port: nmi.port, callers }, count, seed);
    for (const wrong of result.wrong) console.error(wrong);
    const alive = (await nmi.token('127.0.0.5')).status === 200;
    return [
      {
        what: `requests, answers, tokens (seed ${seed})`,
        ours: `${result.requests}, ${result.answers}, ${result.tokens}`,
        theirs: JSON.stringify(result.statuses),
        goal: 'no crash, no hang, no token for the wrong pod',
        ok: alive && result.wrong.length === 0 && result.tokens > 0,
      },
    ];
  },
};
