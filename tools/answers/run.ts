/** Writes what the real Azure answers, by type, from recorded sessions and from the tests of Azure Service Operator. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { asoModule } from '../judges/aso-module.ts';
import { learnMembers } from './learn.ts';
import { read } from './samples.ts';
import { learnShapes } from './shapes.ts';
import { cassetteSources, type Source, sessionSources } from './sources.ts';

const target = resolve(import.meta.dirname, '../../sandbox/azure/arm/answers/generated');

function learn(sources: readonly Source[]) {
  const all = sources.map(({ name, exchanges }) => read(name, exchanges));
  const samples = Map.groupBy(
    all.flatMap((one) => one.samples),
    ({ type }) => type,
  );
  const writes = Map.groupBy(
    all.flatMap((one) => one.writes),
    ({ type }) => type,
  );
  const types = [...new Set([...samples.keys(), ...writes.keys()])].sort();
  return Object.fromEntries(
    types.map((type) => {
      const of = samples.get(type) ?? [];
      const versions = [...new Set([...of, ...(writes.get(type) ?? [])].map(({ apiVersion }) => apiVersion))].sort();
      const etags = of.filter(({ answer }) => typeof answer['etag'] === 'string');
      const isWeak = etags.some(({ answer }) => String(answer['etag']).startsWith('W/'));
      return [
        type,
        {
          versions,
          ...learnShapes(writes.get(type) ?? []),
          ...(etags.length > of.length / 2 && { etag: isWeak ? 'weak' : 'plain' }),
          members: learnMembers(of),
        },
      ];
    }),
  );
}

function write(name: string, content: object): void {
  const lines = Object.entries(content).map(([type, data]) => `${JSON.stringify(type)}: ${JSON.stringify(data)}`);
  writeFileSync(resolve(target, name), `{\n${lines.join(',\n')}\n}\n`);
}

mkdirSync(target, { recursive: true });
write('older.json', learn(sessionSources(resolve(process.env['AZIMUTH_SESSIONS'] ?? '../shared/sessions'))));
const module = asoModule();
if (module !== undefined) write('newer.json', learn(cassetteSources(module)));
